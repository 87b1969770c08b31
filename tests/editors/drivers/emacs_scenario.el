;;; emacs_scenario.el --- common code of scenarios in Emacs  -*- lexical-binding: t -*-

;;; Code:

(require 'cl-lib)
(require 'json)

(defvar tdls-test-seen '())

(defun tdls-test-note (key value)
  "Report VALUE under KEY."
  (push (cons key value) tdls-test-seen))

(defun tdls-test-wait (what condition)
  "Return the first true value of CONDITION, or fail, naming WHAT."
  (let ((deadline (+ (float-time) 30)) (value nil))
    (while (not (setq value (funcall condition)))
      (when (> (float-time) deadline)
        (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))
    value))

(defun tdls-test-go-to (text &optional offset)
  "Go to the first TEXT, and OFFSET characters further."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) (or offset 0))))

(defun tdls-test-report (run)
  "Call RUN with the file that TDLS_TEST_FILE names, and write what was seen as JSON."
  (condition-case problem
      (funcall run (getenv "TDLS_TEST_FILE"))
    (error (tdls-test-note 'problem (error-message-string problem))))
  (with-temp-file (getenv "TDLS_TEST_REPORT")
    (insert (json-encode tdls-test-seen))))

;;; emacs_scenario.el ends here

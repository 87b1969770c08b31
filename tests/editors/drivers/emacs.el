;;; emacs.el --- uses Emacs as a person would  -*- lexical-binding: t -*-

;; Writes the observations as JSON to the file that TDLS_TEST_REPORT names.

;;; Code:

(require 'flymake)
(load (expand-file-name "emacs_scenario.el" (file-name-directory (or load-file-name buffer-file-name))))

(defun tdls-test-diagnostics ()
  "Return what flymake shows."
  (flymake-start)
  (mapcar (lambda (diagnostic)
            `((line . ,(1- (line-number-at-pos (flymake-diagnostic-beg diagnostic))))
              (message . ,(flymake-diagnostic-text diagnostic))))
          (flymake-diagnostics)))

(defun tdls-test-hover ()
  "Return what eldoc is told about the operation at point."
  (let ((shown nil))
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (tdls-test-wait "the hover" (lambda () shown))
    (substring-no-properties shown)))

(defun tdls-test-completion ()
  "Type the beginning of an operation and return what is offered."
  (tdls-test-go-to "    transform.yield")
  (insert "    transform.loop.unr\n")
  (backward-char)
  (pcase-let ((`(,start ,end ,table . ,_) (eglot-completion-at-point)))
    (prog1 (mapcar #'substring-no-properties
                   (all-completions (buffer-substring start end) table))
      (delete-region (line-beginning-position) (1+ (line-end-position))))))

(defun tdls-test-run (file)
  "Open FILE and use the server."
  (find-file file)
  (run-hooks 'post-command-hook)
  (tdls-test-wait "the server" (lambda () (eglot-current-server)))
  (tdls-test-note 'diagnostics (vconcat (tdls-test-wait "diagnostics" #'tdls-test-diagnostics)))
  (tdls-test-go-to "transform.structured.tile_using_for" 25)
  (tdls-test-note 'hover (tdls-test-hover))
  (tdls-test-go-to "@tile_and_unroll(%matmul" 18)
  (eglot-rename "product")
  (tdls-test-note 'renamed (vconcat (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n")))
  (tdls-test-note 'completion (vconcat (tdls-test-completion)))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server)))

(tdls-test-report #'tdls-test-run)

;;; emacs.el ends here

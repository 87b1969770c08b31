;;; emacs_state.el --- looks at the states of a run  -*- lexical-binding: t -*-

;; Writes the observations as JSON to the file that TDLS_TEST_REPORT names.

;;; Code:

(load (expand-file-name "emacs_scenario.el" (file-name-directory (or load-file-name buffer-file-name))))

(defun tdls-test-state (words)
  "Return the lines of the state once its first one has WORDS."
  (tdls-test-wait
   words
   (lambda ()
     (with-current-buffer (get-buffer-create "*tdls state*")
       (goto-char (point-min))
       (when (search-forward words (line-end-position) t)
         (vconcat (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n")))))))

(tdls-test-report
 (lambda (file)
   (find-file file)
   (run-hooks 'post-command-hook)
   (tdls-test-wait "the server" #'eglot-current-server)
   (let ((script (current-buffer)))
     (switch-to-buffer script)
     (tdls-test-go-to "transform.structured.tile_using_for")
     (tdls-state)
     (tdls-test-note 'tiled (tdls-test-state "tile_using_for"))
     (tdls-test-go-to "transform.structured.match" 1)
     (run-hooks 'post-command-hook)
     (tdls-test-note 'matched (tdls-test-state "structured.match"))
     (tdls-step)
     (tdls-test-state "2 of 2")
     (with-current-buffer script
       (tdls-test-note 'line (line-number-at-pos)))
     (tdls-back)
     (tdls-test-state "1 of 2")
     (tdls-step)
     (tdls-test-state "2 of 2")
     (tdls-after)
     (tdls-test-note 'after (vconcat (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n")))
     (set-buffer script)
     (eglot-shutdown (eglot-current-server)))))

;;; emacs_state.el ends here

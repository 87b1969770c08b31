;;; lsp_mode.el --- uses Emacs with lsp-mode as a person would  -*- lexical-binding: t -*-

;; Writes the observations as JSON to the file that TDLS_TEST_REPORT names.

;;; Code:

(require 'flymake)
(require 'lsp-mode)

(load (expand-file-name "emacs_scenario.el" (file-name-directory (or load-file-name buffer-file-name))))

(defun tdls-test-diagnostics ()
  "Return what lsp-mode knows of the buffer."
  (mapcar (lambda (diagnostic)
            `((line . ,(lsp-get (lsp-get (lsp-get diagnostic :range) :start) :line))
              (message . ,(lsp-get diagnostic :message))))
          (gethash (buffer-file-name) (lsp-diagnostics))))

(defun tdls-test-hover ()
  "Return what is said about the operation at point."
  (let ((hover (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
    (lsp-get (lsp-get hover :contents) :value)))

(defun tdls-test-completion ()
  "Type the beginning of an operation and return what is offered."
  (tdls-test-go-to "    transform.yield")
  (insert "    transform.loop.unr\n")
  (backward-char)
  (pcase-let ((`(,start ,end ,table . ,_) (lsp-completion-at-point)))
    (prog1 (mapcar #'substring-no-properties
                   (all-completions (buffer-substring start end) table))
      (delete-region (line-beginning-position) (1+ (line-end-position))))))

(defun tdls-test-run (file)
  "Open FILE and use the server."
  (setq lsp-restart 'ignore
        lsp-auto-guess-root t)
  (lsp-workspace-folders-add (file-name-directory file))
  (find-file file)
  (lsp)
  (tdls-test-wait "the server" #'lsp-workspaces)
  (tdls-test-note 'diagnostics (vconcat (tdls-test-wait "diagnostics" #'tdls-test-diagnostics)))
  (tdls-test-go-to "transform.structured.tile_using_for" 25)
  (tdls-test-note 'hover (tdls-test-hover))
  (tdls-test-go-to "@tile_and_unroll(%matmul" 18)
  (lsp-rename "product")
  (tdls-test-note 'renamed (vconcat (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n")))
  (tdls-test-note 'completion (vconcat (tdls-test-completion)))
  (set-buffer-modified-p nil))

(tdls-test-report #'tdls-test-run)
(kill-emacs)

;;; lsp_mode.el ends here

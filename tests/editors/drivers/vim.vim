" Uses Vim with ALE as a person would, and writes what was seen to the file that TDLS_TEST_REPORT names.

let s:report = {}

func s:WaitFor(what, Condition) abort
  for l:turn in range(600)
    let l:value = a:Condition()
    if !empty(l:value)
      return l:value
    endif
    sleep 50m
  endfor
  throw 'waited in vain for ' . a:what
endfunc

func s:GoTo(text, offset) abort
  call cursor(1, 1)
  if search('\V' . a:text, 'cW') == 0
    throw 'no such text: ' . a:text
  endif
  call cursor(line('.'), col('.') + a:offset)
endfunc

func s:Hovered() abort
  for l:number in range(1, winnr('$'))
    if getwinvar(l:number, '&previewwindow')
      return getbufline(winbufnr(l:number), 1, '$')
    endif
  endfor
  return filter(split(execute('messages'), "\n"), {_, line -> line =~# 'tile_using_for'})
endfunc

" Notes what is offered, and writes nothing.
func TdlsTestSeen() abort
  let g:tdls_test_seen = map(complete_info(['items']).items, {_, item -> item.word})
  return ''
endfunc

func s:Run() abort
  let s:report.filetype = &filetype
  let s:report.syntax = get(b:, 'current_syntax', '')
  let l:found = s:WaitFor('diagnostics', {-> ale#engine#GetLoclist(bufnr(''))})
  let s:report.diagnostics = map(copy(l:found), {_, item -> {'line': item.lnum - 1, 'message': item.text}})

  call s:GoTo('transform.structured.tile_using_for', 25)
  ALEHover
  let s:report.hover = join(s:WaitFor('the hover', function('s:Hovered')), "\n")
  pclose

  call s:GoTo('transform.yield', 0)
  call feedkeys("O    transform.loop.unr\<C-x>\<C-o>\<C-r>=TdlsTestSeen()\<CR>\<C-e>\<Esc>u", 'tx')
  let s:report.completion = g:tdls_test_seen

  call s:GoTo('@tile_and_unroll(%matmul', 18)
  call ale#rename#Execute()
  call s:WaitFor('the renaming', {-> search('%product', 'nw')})
  let s:report.renamed = getline(1, '$')
endfunc

" What a person would type at the prompt.
func! ale#util#Input(message, value, ...) abort
  return '%product'
endfunc

try
  call s:Run()
catch
  let s:report.problem = v:exception . ' in ' . v:throwpoint
endtry
call writefile([json_encode(s:report)], $TDLS_TEST_REPORT)
qall!

#compdef t
# Completion of t for zsh, made from its table of commands.

# The words before the one that is completed; within a command, words are those from its name on.
typeset -ga _t__line

# Offers what the program prints for the kind $1.
_t__candidates() {
  local -a found shown
  local tab=$'\t'
  found=("${(@f)$(t candidates $1 -- $_t__line 2>/dev/null)}")
  found=(${found:#})
  # What a candidate is follows it after a tab.
  shown=("${(@)found//$tab/  -- }")
  found=("${(@)found%%$tab*}")
  compadd -l -d shown -a found
}

# Offers the commands below those that stand on the line after `help`.
_t__commands() {
  local -a found
  case "${(j: :)words[2,CURRENT-1]:#-*}" in
    '') found=(s) ;;
  esac
  compadd -a found
}

_t() {
  _t__line=("${(@)words[2,CURRENT-1]}")
  local curcontext=$curcontext state line ret=1
  local -a commands
  typeset -A opt_args
  _arguments -s -S -C \
    '(-o --o)'{-o+,--o=}'[It'\''s \[a\]\: "$x" y \\ (z)]:A\:B: ' \
    '(-)1: :->command' \
    '(-)*:: :->rest' && ret=0
  case $state in
    command)
      commands=(
        's:It'\''s [a]: "$x" y \ (z)'
      )
      _describe -t commands command commands && ret=0
      ;;
    rest)
      case $words[1] in
        s) _t_s && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_t_s() {
  _arguments -s -S \
    '(-o --o)'{-o+,--o=}'[It'\''s \[a\]\: "$x" y \\ (z)]:A\:B: '
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _t "$@"
else
  compdef _t t
fi

#compdef t
# Completion of t for zsh, generated from its table of commands.

# The words before the completed one. Within a command, `words` starts at its name.
typeset -ga _t__line

# Offers the program's candidates of the kind $1.
_t__candidates() {
  local -a found shown
  local tab=$'\t'
  found=("${(@f)$(t candidates $1 -- $_t__line 2>/dev/null)}")
  found=(${found:#})
  # A tab separates a candidate from its description.
  shown=("${(@)found//$tab/  -- }")
  found=("${(@)found%%$tab*}")
  compadd -l -d shown -a found
}

# Offers the subcommands of the command on the line after `help`.
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

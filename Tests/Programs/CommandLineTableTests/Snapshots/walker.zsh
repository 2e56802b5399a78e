#compdef walker
# Completion of walker for zsh, generated from its table of commands.

# The words before the completed one. Within a command, `words` starts at its name.
typeset -ga _walker__line

# Offers the program's candidates of the kind $1.
_walker__candidates() {
  local -a found shown
  local tab=$'\t'
  found=("${(@f)$(walker candidates $1 -- $_walker__line 2>/dev/null)}")
  found=(${found:#})
  # A tab separates a candidate from its description.
  shown=("${(@)found//$tab/  -- }")
  found=("${(@)found%%$tab*}")
  compadd -l -d shown -a found
}

# Offers the subcommands of the command on the line after `help`.
_walker__commands() {
  local -a found
  case "${(j: :)words[2,CURRENT-1]:#-*}" in
    '') found=(add list join tags help) ;;
    'add') found=(walk break) ;;
    'tags') found=(rename) ;;
  esac
  compadd -a found
}

_walker() {
  _walker__line=("${(@)words[2,CURRENT-1]}")
  local curcontext=$curcontext state line ret=1
  local -a commands
  typeset -A opt_args
  _arguments -s -S -C \
    '--version[Show the version]' \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    '(-)1: :->command' \
    '(-)*:: :->rest' && ret=0
  case $state in
    command)
      commands=(
        'add:Add a walk or a break'
        'list:List walks'
        'join:Join walks into one'
        'tags:List tags'
        'help:Show the help of a command'
      )
      _describe -t commands command commands && ret=0
      ;;
    rest)
      case $words[1] in
        add) _walker_add && ret=0 ;;
        list|ls) _walker_list && ret=0 ;;
        join) _walker_join && ret=0 ;;
        tags) _walker_tags && ret=0 ;;
        help) _walker_help && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_walker_add() {
  local curcontext=$curcontext state line ret=1
  local -a commands
  typeset -A opt_args
  _arguments -s -S -C \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    '(-)1: :->command' \
    '(-)*:: :->rest' && ret=0
  case $state in
    command)
      commands=(
        'walk:Add a walk'
        'break:Add a break'
      )
      _describe -t commands command commands && ret=0
      ;;
    rest)
      case $words[1] in
        walk|hike) _walker_add_walk && ret=0 ;;
        break) _walker_add_break && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_walker_add_walk() {
  _arguments -s -S \
    '(-s --start)'{-s+,--start=}'[Where it starts, such as -33.86,151.2]:LAT,LON: ' \
    '(-p --pace)'{-p+,--pace=}'[How fast it goes, in metres per second]:M/S: ' \
    '*'{-t+,--tag=}'[Tag it]:TAG:{_walker__candidates tags}' \
    '(-r --return --no-return)'{-r,--return,--no-return}'[Walk back as well]' \
    '(-q --quick)'{-q,--quick}'[Ask nothing]' \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    ':TITLE: '
}

_walker_add_break() {
  _arguments -s -S \
    '--minutes=[How long it lasts]:N: ' \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]'
}

_walker_list() {
  _arguments -s -S \
    '(-n --limit)'{-n+,--limit=}'[List so many at most]:N: ' \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    '::ORDER:(name start)'
}

_walker_join() {
  _arguments -s -S \
    '(-1 --into)'{-1+,--into=}'[Write it there]:DIR:_files -/' \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    ':TARGET:{_walker__candidates walks}' \
    '*:WALK:_files'
}

_walker_tags() {
  local curcontext=$curcontext state line ret=1
  local -a commands
  typeset -A opt_args
  _arguments -s -S -C \
    '--count[Count the walks of each]' \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    '(-)1: :->command' \
    '(-)*:: :->rest' && ret=0
  case $state in
    command)
      commands=(
        'rename:Rename a tag'
      )
      _describe -t commands command commands && ret=0
      ;;
    rest)
      case $words[1] in
        rename) _walker_tags_rename && ret=0 ;;
      esac
      ;;
  esac
  return ret
}

_walker_tags_rename() {
  _arguments -s -S \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    ':OLD: ' \
    '::NEW: '
}

_walker_help() {
  _arguments -s -S \
    '(-f --file)'{-f+,--file=}'[Keep the walks in this file]:PATH:_files -g "*.walks"' \
    '(-j --json)'{-j,--json}'[Print one JSON object a line]' \
    '(--color --colour)'{--color=,--colour=}'[Colour the output]:WHEN:(auto always never)' \
    '*'{-v,--verbose}'[Say more; twice for everything]' \
    '(-h --help)'{-h,--help}'[Show help, briefly with -h]' \
    '*:COMMAND:{_walker__commands}'
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _walker "$@"
else
  compdef _walker walker
fi

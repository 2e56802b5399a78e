# Completion of walker for bash, generated from its table of commands.

# Sets kind to the kind of value for the option $2 of the command $1; fails if it takes none.
_walker_option() {
  case "$1|$2" in
    'walker'*'|-f' | 'walker'*'|--file') kind='file walks' ;;
    'walker'*'|--color' | 'walker'*'|--colour') kind='choices auto always never' ;;
    'walker add walk|-s' | 'walker add walk|--start') kind='none' ;;
    'walker add walk|-p' | 'walker add walk|--pace') kind='none' ;;
    'walker add walk|-t' | 'walker add walk|--tag') kind='program tags' ;;
    'walker add break|--minutes') kind='none' ;;
    'walker list|-n' | 'walker list|--limit') kind='none' ;;
    'walker join|-1' | 'walker join|--into') kind='directory' ;;
    *) return 1 ;;
  esac
}

# Sets path to the subcommand $2 of the command $1; fails if it does not exist.
_walker_descend() {
  case "$1 $2" in
    'walker add') path='walker add' ;;
    'walker list' | 'walker ls') path='walker list' ;;
    'walker join') path='walker join' ;;
    'walker tags') path='walker tags' ;;
    'walker help') path='walker help' ;;
    'walker add walk' | 'walker add hike') path='walker add walk' ;;
    'walker add break') path='walker add break' ;;
    'walker tags rename') path='walker tags rename' ;;
    *) return 1 ;;
  esac
}

# Sets found to the subcommands of the command $1.
_walker_commands() {
  case $1 in
    'walker') found='add list join tags help' ;;
    'walker add') found='walk break' ;;
    'walker tags') found='rename' ;;
    *) found='' ;;
  esac
}

# Offers the candidates of the kind in $1 with its parameters that begin with $current.
_walker_offer() {
  local kind=$1 candidate quoted found
  shift
  case $kind in
    choices) mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current") ;;
    commands)
      _walker_commands "$asked"
      mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
      ;;
    directory)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    file)
      compopt -o filenames
      if (($# == 0)); then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      else
        mapfile -t COMPREPLY < <(compgen -d -- "$current"
          for candidate; do compgen -f -X "!*.$candidate" -- "$current"; done)
      fi
      ;;
    program)
      local about
      local -a abouts=()
      while IFS=$'\t' read -r candidate about; do
        printf -v quoted %q "$candidate"
        if [[ $candidate == "$current"* || $quoted == "$current"* ]]; then
          COMPREPLY+=("$quoted")
          abouts+=("$about")
        fi
      done < <(walker candidates "$1" -- "${words[@]}" 2>/dev/null)
      # Show descriptions with several candidates, and insert a single one without it.
      if ((${#COMPREPLY[@]} > 1 && COMP_TYPE != 37 && COMP_TYPE != 42)); then
        for i in "${!COMPREPLY[@]}"; do
          if [[ ${abouts[i]} ]]; then COMPREPLY[i]+="  (${abouts[i]})"; fi
        done
      fi
      ;;
  esac
}

_walker() {
  local -a words=()
  local i word current path=walker asked=walker kind='' ended='' count=0 found=''
  COMPREPLY=()

  # Bash splits --name=value at the equals sign; join it again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#words[@]})) && [[ ${words[-1]} == --* ]] &&
      [[ ($word == = && ${words[-1]} != *=*) || (${COMP_WORDS[i - 1]} == = && ${words[-1]} == *=) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  current=${words[-1]}
  unset 'words[-1]'

  for word in "${words[@]}"; do
    if [[ $kind ]]; then
      kind=''
    elif [[ $ended || $word == - || $word != -* || $word == -[0-9.]* ]]; then
      if ! _walker_descend "$path" "$word"; then
        count=$((count + 1))
        asked+=" $word"
      fi
    elif [[ $word == -- ]]; then
      ended=1
    else
      _walker_option "$path" "$word"
    fi
  done

  if [[ ! $kind && ! $ended && $current == --*=* ]]; then
    _walker_option "$path" "${current%%=*}" || return
    current=${current#*=}
  fi
  if [[ $kind ]]; then
    # The kind and its parameters are separate words.
    # shellcheck disable=SC2086
    _walker_offer $kind
  elif [[ ! $ended && $current == -* ]]; then
    case $path in
      'walker') found='--version -f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker add') found='-f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker add walk') found='-s --start -p --pace -t --tag -r --return --no-return -q --quick -f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker add break') found='--minutes -f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker list') found='-n --limit -f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker join') found='-1 --into -f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker tags') found='--count -f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker tags rename') found='-f --file -j --json --color --colour -v --verbose -h --help' ;;
      'walker help') found='-f --file -j --json --color --colour -v --verbose -h --help' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
  else
    _walker_commands "$path"
    if [[ $found ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
      return
    fi
    case "$path|$count" in
      'walker list|0') _walker_offer choices name start ;;
      'walker join|0') _walker_offer program walks ;;
      'walker join|'*) _walker_offer file ;;
      'walker help|'*) _walker_offer commands ;;
    esac
  fi
}

complete -F _walker walker

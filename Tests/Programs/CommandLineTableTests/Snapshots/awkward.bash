# Completion of t for bash, generated from its table of commands.

# Sets kind to the kind of value for the option $2 of the command $1; fails if it takes none.
_t_option() {
  case "$1|$2" in
    't'*'|-o' | 't'*'|--o') kind='none' ;;
    *) return 1 ;;
  esac
}

# Sets path to the subcommand $2 of the command $1; fails if it does not exist.
_t_descend() {
  case "$1 $2" in
    't s') path='t s' ;;
    *) return 1 ;;
  esac
}

# Sets found to the subcommands of the command $1.
_t_commands() {
  case $1 in
    't') found='s' ;;
    *) found='' ;;
  esac
}

# Offers the candidates of the kind in $1 with its parameters that begin with $current.
_t_offer() {
  local kind=$1 candidate quoted found
  shift
  case $kind in
    choices) mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current") ;;
    commands)
      _t_commands "$asked"
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
      done < <(t candidates "$1" -- "${words[@]}" 2>/dev/null)
      # Show descriptions with several candidates, and insert a single one without it.
      if ((${#COMPREPLY[@]} > 1 && COMP_TYPE != 37 && COMP_TYPE != 42)); then
        for i in "${!COMPREPLY[@]}"; do
          if [[ ${abouts[i]} ]]; then COMPREPLY[i]+="  (${abouts[i]})"; fi
        done
      fi
      ;;
  esac
}

_t() {
  local -a words=()
  local i word current path=t asked=t kind='' ended='' count=0 found=''
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
      if ! _t_descend "$path" "$word"; then
        count=$((count + 1))
        asked+=" $word"
      fi
    elif [[ $word == -- ]]; then
      ended=1
    else
      _t_option "$path" "$word"
    fi
  done

  if [[ ! $kind && ! $ended && $current == --*=* ]]; then
    _t_option "$path" "${current%%=*}" || return
    current=${current#*=}
  fi
  if [[ $kind ]]; then
    # The kind and its parameters are separate words.
    # shellcheck disable=SC2086
    _t_offer $kind
  elif [[ ! $ended && $current == -* ]]; then
    case $path in
      't') found='-o --o' ;;
      't s') found='-o --o' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
  else
    _t_commands "$path"
    if [[ $found ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
      return
    fi
    case "$path|$count" in
    esac
  fi
}

complete -F _t t

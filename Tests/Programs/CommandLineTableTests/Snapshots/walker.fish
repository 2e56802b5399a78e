# Completion of walker for fish, generated from its table of commands.

# Prints the command before the cursor, and then its positional words, one per line.
function __walker_state
  set -l path walker
  set -l rest
  set -l ended 0
  set -l skip 0
  set -l words (commandline -opc)
  for word in $words[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    if test $ended = 0
      if test "$word" = --
        set ended 1
        continue
      end
      if string match -qr '^-[^0-9.]' -- "$word"
        switch "$path|$word"
          case 'walker*|-f' 'walker*|--file' 'walker*|--color' 'walker*|--colour'
            set skip 1
          case 'walker add walk|-s' 'walker add walk|--start' 'walker add walk|-p' 'walker add walk|--pace' 'walker add walk|-t' 'walker add walk|--tag'
            set skip 1
          case 'walker add break|--minutes'
            set skip 1
          case 'walker list|-n' 'walker list|--limit'
            set skip 1
          case 'walker join|-1' 'walker join|--into'
            set skip 1
        end
        continue
      end
    end
    switch "$path $word"
      case 'walker add'
        set path 'walker add'
      case 'walker list' 'walker ls'
        set path 'walker list'
      case 'walker join'
        set path 'walker join'
      case 'walker tags'
        set path 'walker tags'
      case 'walker help'
        set path 'walker help'
      case 'walker add walk' 'walker add hike'
        set path 'walker add walk'
      case 'walker add break'
        set path 'walker add break'
      case 'walker tags rename'
        set path 'walker tags rename'
      case '*'
        set -a rest $word
    end
  end
  printf '%s\n' $path $rest
end

# Whether the words lead to the command $argv[1], with $argv[2] positional words if given; a plus sign after the number allows more.
function __walker_at
  set -l state (__walker_state)
  test "$state[1]" = "$argv[1]"; or return 1
  set -q argv[2]; or return 0
  set -l count (math (count $state) - 1)
  switch $argv[2]
    case '*+'
      test $count -ge (string trim -r -c + -- $argv[2])
    case '*'
      test $count -eq $argv[2]
  end
end

# Whether the words lead to the command $argv[1] or to one of its subcommands.
function __walker_under
  set -l state (__walker_state)
  test "$state[1]" = "$argv[1]"; or string match -q -- "$argv[1] *" "$state[1]"
end

# Prints the subcommands of the command on the line after `help`.
function __walker_commands
  set -l state (__walker_state)
  switch "$state[2..-1]"
    case ''
      printf '%s\n' add list join tags help
    case 'add'
      printf '%s\n' walk break
    case 'tags'
      printf '%s\n' rename
  end
end

complete -c walker -f
complete -c walker -n "__walker_at 'walker'" -a add -d 'Add a walk or a break'
complete -c walker -n "__walker_at 'walker'" -a list -d 'List walks'
complete -c walker -n "__walker_at 'walker'" -a join -d 'Join walks into one'
complete -c walker -n "__walker_at 'walker'" -a tags -d 'List tags'
complete -c walker -n "__walker_at 'walker'" -a help -d 'Show the help of a command'
complete -c walker -n "__walker_at 'walker'" -l version -d 'Show the version'
complete -c walker -n "__walker_under 'walker'" -s f -l file -x -a "(__fish_complete_suffix .walks)" -d 'Keep the walks in this file'
complete -c walker -n "__walker_under 'walker'" -s j -l json -d 'Print one JSON object a line'
complete -c walker -n "__walker_under 'walker'" -l color -l colour -x -a 'auto always never' -d 'Colour the output'
complete -c walker -n "__walker_under 'walker'" -s v -l verbose -d 'Say more; twice for everything'
complete -c walker -n "__walker_under 'walker'" -s h -l help -d 'Show help, briefly with -h'
complete -c walker -n "__walker_at 'walker add'" -a walk -d 'Add a walk'
complete -c walker -n "__walker_at 'walker add'" -a break -d 'Add a break'
complete -c walker -n "__walker_at 'walker add walk'" -s s -l start -x -d 'Where it starts, such as -33.86,151.2'
complete -c walker -n "__walker_at 'walker add walk'" -s p -l pace -x -d 'How fast it goes, in metres per second'
complete -c walker -n "__walker_at 'walker add walk'" -s t -l tag -x -a '(walker candidates tags -- (commandline -opc)[2..-1] 2>/dev/null)' -d 'Tag it'
complete -c walker -n "__walker_at 'walker add walk'" -s r -l return -d 'Walk back as well'
complete -c walker -n "__walker_at 'walker add walk'" -l no-return -d 'Opposite of --return'
complete -c walker -n "__walker_at 'walker add walk'" -s q -l quick -d 'Ask nothing'
complete -c walker -n "__walker_at 'walker add break'" -l minutes -x -d 'How long it lasts'
complete -c walker -n "__walker_at 'walker list'" -s n -l limit -x -d 'List so many at most'
complete -c walker -n "__walker_at 'walker list' 0" -a 'name start'
complete -c walker -n "__walker_at 'walker join'" -s 1 -l into -x -a '(__fish_complete_directories)' -d 'Write it there'
complete -c walker -n "__walker_at 'walker join' 0" -a '(walker candidates walks -- (commandline -opc)[2..-1] 2>/dev/null)'
complete -c walker -n "__walker_at 'walker join' 1+" -F
complete -c walker -n "__walker_at 'walker tags'" -a rename -d 'Rename a tag'
complete -c walker -n "__walker_at 'walker tags'" -l count -d 'Count the walks of each'
complete -c walker -n "__walker_at 'walker help' 0+" -a '(__walker_commands)'

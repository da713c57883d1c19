#!/bin/bash
# Stands in for systemctl where systemd does not run: starts the service as its unit says, with the user, folders,
# limits, variables and the read-only system of the unit. It does not apply the filters of system calls and addresses.
set -euo pipefail
unit=/etc/systemd/system/tps.service
pid_file=/run/tps.pid
value() { sed -n "s/^$1=//p" "$unit" | tail -n 1; }

start() {
  local user group state cache
  user=$(value User); group=$(value Group)
  state=/var/lib/$(value StateDirectory); cache=/var/cache/$(value CacheDirectory)
  install -d -o "$user" -g "$group" -m "$(value StateDirectoryMode)" "$state"
  install -d -o "$user" -g "$group" -m "$(value CacheDirectoryMode)" "$cache"
  [ "$(value ProtectSystem)" = strict ] || { echo "ProtectSystem is not strict" >&2; exit 1; }
  mapfile -t variables < <(sed -n 's/^Environment=//p' "$unit")
  read -ra command <<< "$(value ExecStart)"
  (
    # Only the kernel's own root may raise the hard limit.
    ulimit -n "$(value LimitNOFILE)" 2> /dev/null || ulimit -n "$(ulimit -H -n)"
    umask "$(value UMask)"
    exec unshare --mount bash -c '
      set -eu
      for folder in "$1" "$2"; do mount --bind "$folder" "$folder"; done
      mount -o remount,bind,ro /
      mount -t tmpfs -o mode=1777 tmpfs /tmp
      cd "$3"; shift 3
      exec setpriv "$@"
    ' start "$state" "$cache" "$(value WorkingDirectory)" \
      --reuid "$user" --regid "$group" --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all -- \
      env -i PATH=/usr/local/bin:/usr/bin:/bin "${variables[@]}" "${command[@]}" >> /var/log/tps.log 2>&1 < /dev/null
  ) &
  echo $! > "$pid_file"
}

stop() {
  local pid
  pid=$(cat "$pid_file")
  kill -TERM "$pid"
  timeout "$(value TimeoutStopSec)" tail --pid="$pid" -f /dev/null
  rm "$pid_file"
}

case $1 in
  daemon-reload) ;;
  enable) [ "$2" = --now ]; start ;;
  start) start ;;
  stop) stop ;;
  restart) stop; start ;;
  *) echo "this systemctl does not know $1" >&2; exit 1 ;;
esac

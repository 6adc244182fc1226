#!/bin/sh
# scale/prove.sh on GNU parallel with two hosts, which are this machine, reached
# through an sshd of the test's own on the loopback interface.
. tests/scale/lib.sh
command -v parallel >/dev/null || skip "GNU parallel is not installed"
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || skip "OpenSSH: sshd is not installed"
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd # where sshd wants to be jailed
port=$(free_ports 1)
d=$work/ssh
mkdir -m 700 "$d"
ssh-keygen -q -t ed25519 -N '' -f "$d/host" && ssh-keygen -q -t ed25519 -N '' -f "$d/key"
cat >"$d/sshd_config" <<C
ListenAddress 127.0.0.1
Port $port
HostKey $d/host
AuthorizedKeysFile $d/key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile $d/pid
C
cat >"$d/config" <<C
Host one two
  HostName 127.0.0.1
  Port $port
  IdentityFile $d/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
C
"$sshd" -D -e -f "$d/sshd_config" >"$d/log" 2>&1 &
server=$!
cleanup='kill $server 2>/dev/null; wait $server 2>/dev/null'
for i in $(seq 1 20); do
    ssh -F "$d/config" one true 2>/dev/null && break
    sleep 0.5
done
ssh -F "$d/config" two true || { cat "$d/log"; fail "no sshd"; finish; }
export PARALLEL_SSH="ssh -F $d/config"
own='--env SLOW --sshlogin 1/one,1/two'
serial
run_whole parallel
[ "$(grep -c 'Accepted publickey' "$d/log")" -ge 4 ] || fail "nothing went through ssh"
kill_worker parallel pids
kill_driver parallel
finish

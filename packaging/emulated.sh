#!/usr/bin/env bash
# Installs the aarch64 wheel of dist/ on an arm64 Debian under emulation, and runs `gradestone verify` there.
#
#     packaging/emulated.sh [PYTHON]
#
# Needs root, qemu-user-static and debootstrap, and Linux 6.7 or later, where a user namespace has emulators of its
# own: nothing is registered on the host. The root file system is kept in target/emulated; the packages that the wheel
# depends on come from PyPI by the host's pip.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath --no-symlinks "${1:-.venv/bin/python}")
emulator=$(command -v qemu-aarch64-static)
root=$PWD/target/emulated/arm64
wheels=$PWD/target/emulated/wheels

if [[ ! -e $root/ready ]]; then
  rm -rf "$root"
  mkdir -p "$root"
  # The second stage configures daemons that nobody starts here: unpacked packages are enough for an interpreter.
  debootstrap --arch=arm64 --foreign --variant=minbase --include=python3-venv bookworm "$root" >&2
  for package in "$root"/var/cache/apt/archives/*.deb; do
    dpkg-deb --extract "$package" "$root"
  done
  mkdir "$root/wheels"
  touch "$root/ready"
fi

rm -rf "$wheels"
"$python" -m pip download --quiet --dest "$wheels" --only-binary=:all: --implementation cp --python-version 3.11 \
  --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
  dist/gradestone-*_aarch64.whl

inside() {
  mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  # An ELF file of 64 bits, little-endian, for machine 0xb7; F: the emulator is opened now, from outside the root.
  printf '%s' ":aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$1:F" \
    > /proc/sys/fs/binfmt_misc/register
  mount --bind "$3" "$2/wheels"
  mount --rbind /dev "$2/dev"
  mount --rbind /proc "$2/proc"
  chroot "$2" /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 sh -euc '
    uname -m
    rm -rf /venv
    python3 -m venv /venv
    /venv/bin/pip install --quiet --no-index --find-links /wheels gradestone
    cd /tmp
    /venv/bin/gradestone verify'
}
export -f inside
unshare --map-root-user --mount bash -euc 'inside "$@"' inside "$emulator" "$root" "$wheels"

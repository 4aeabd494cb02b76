/** Names of integrators, worlds, snapshots and catches. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const NAME_RULE =
  '1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or a digit'

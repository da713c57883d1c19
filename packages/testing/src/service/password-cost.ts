/** The least that argon2 accepts: tests sign in often. */
export const PASSWORD_COST = { memoryKiB: 8, passes: 1 };

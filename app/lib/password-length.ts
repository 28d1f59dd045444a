/** Source: part-1. */
export const minPasswordLength = 6
export const maxPasswordLength = 256

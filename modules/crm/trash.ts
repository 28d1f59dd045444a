/** Days that a deleted client can be restored. */
export const trashDays = 30

/** Minutes after which a message that was given to the mail server, but not recorded as sent, is in doubt. */
const doubtMinutes = 5

export const doubtBefore = (now: Date): Date => new Date(now.getTime() - doubtMinutes * 60_000)

export const isInDoubt = (claimedAt: string, now: Date): boolean => new Date(claimedAt) < doubtBefore(now)

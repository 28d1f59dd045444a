// What is moved by hand is sent one after the other, so that the server hears of it in the order in which it was done.

let last: Promise<void> = Promise.resolve()

/** Does `work`, which must not fail, when all that was given here before is done. */
export const inTurn = (work: () => Promise<void>): void => void (last = last.then(work))

/** Ends when all that was given to `inTurn` until now is done. */
export const turnsTaken = (): Promise<void> => last

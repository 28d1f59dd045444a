// What is moved by hand is sent one after the other, so that the server hears of it in the order in which it was done.

let last: Promise<void> = Promise.resolve()

/** Does `work` when all that was given here before is done. One that breaks is reported, and holds up nobody behind it. */
export const inTurn = (work: () => Promise<void>): void => void (last = last.then(work).catch(reportError))

/** Ends when all that was given to `inTurn` until now is done. */
export const turnsTaken = (): Promise<void> => last

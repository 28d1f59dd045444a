// What is moved by hand is sent one after the other, so that the server hears of it in the order in which it was done.

/** Milliseconds after which an answer is waited for no longer: forms wait behind it. */
const patience = 20_000

let last: Promise<void> = Promise.resolve()

/** Does `work` when all that was given here before is done. One that breaks is reported, and holds up nobody behind it; `signal` ends what takes too long. */
export const inTurn = (work: (signal: AbortSignal) => Promise<void>): void => void (last = last.then(() => bounded(work)).catch(reportError))

/** Ends when all that was given to `inTurn` until now is done. */
export const turnsTaken = (): Promise<void> => last

async function bounded(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), patience)
  await work(ending.signal).finally(() => clearTimeout(timer))
}

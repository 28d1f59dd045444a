// What is moved by hand is sent one after the other, so that the server hears of it in the order in which it was done.

/** Milliseconds after which an answer is waited for no longer: forms wait behind it. */
const patience = 20_000

let last: Promise<void> = Promise.resolve()

/** Does `work` when all that was given here before is done. One that breaks is reported, and holds up nobody behind it; `signal` ends what takes too long, from now on. */
export function inTurn(work: (signal: AbortSignal) => Promise<void>): void {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), patience)
  last = last
    .then(() => work(ending.signal))
    .catch(reportError)
    .finally(() => clearTimeout(timer))
}

/** Ends when all that was given to `inTurn` until now is done. */
export const turnsTaken = (): Promise<void> => last

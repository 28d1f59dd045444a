/** What is said of a move by keys, and how it is made. */
export function HandWords({ said, helpId, help }: { said: string; helpId: string; help: string }) {
  return (
    <>
      <p id={helpId} hidden>
        {help}
      </p>
      <p className="sr-only" aria-live="assertive">
        {said}
      </p>
    </>
  )
}

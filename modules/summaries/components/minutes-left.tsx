import type { MinutesView } from '../recordings/minutes.ts'

/** How much may still be transcribed this month. */
export function MinutesLeft({ minutes: { left, included, isLow, resetsOn, usedUp } }: { minutes: MinutesView }) {
  return (
    <span className={isLow ? 'text-danger-text' : undefined}>
      {usedUp ??
        `${left} of ${included} minutes of transcription are left this month. They start again on ${resetsOn}.`}
    </span>
  )
}

const timestamp = /^(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/

/** Milliseconds of `01:02:03.450`, `02:03` or `02:03,4`. Null for anything else, such as 75 seconds. */
export function parseTime(text: string): number | null {
  const [, hours = '0', minutes, seconds, fraction = ''] = timestamp.exec(text) ?? []
  if (minutes === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** `01:02:03`, as in exports of text. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

/** `01:02:03.450`, as WebVTT requires it. */
export const formatCueTime = (ms: number): string => `${formatTime(ms)}.${String(ms % 1000).padStart(3, '0')}`

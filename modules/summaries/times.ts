/** '1:02:03' or '4:05': a time in a recording. */
export function formatClockTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

import { limits } from './fields.ts'

// A drawn signature is the path of an SVG picture: strokes of whole numbers, `M10 20L11 22L13 25`.

export const drawingWidth = 600
export const drawingHeight = 200
const pattern = /^(?:M\d{1,3} \d{1,3}(?:L\d{1,3} \d{1,3})*)+$/
/** A dot, or a stroke that slipped, is no signature. */
const minPoints = 8
const minLength = 120
const minWidth = 40

/** The message about a drawing that is no signature; null for one. */
export function findDrawingProblem(path: string): string | null {
  if (path.length > limits.drawing) return 'This drawing is too large. Clear it and sign again.'
  if (!pattern.test(path)) return 'This drawing could not be read. Clear it and sign again, or type your name only.'
  const points = [...path.matchAll(/([ML])(\d+) (\d+)/g)].map(([, kind, x, y]) => ({
    isStart: kind === 'M',
    x: Number(x),
    y: Number(y),
  }))
  if (points.some(({ x, y }) => x > drawingWidth || y > drawingHeight))
    return 'This drawing could not be read. Clear it and sign again, or type your name only.'
  const length = points.reduce((sum, { isStart, x, y }, index) => {
    const before = points[index - 1]
    return isStart || !before ? sum : sum + Math.hypot(x - before.x, y - before.y)
  }, 0)
  const xs = points.map(({ x }) => x)
  const width = xs.reduce((most, x) => Math.max(most, x), 0) - xs.reduce((least, x) => Math.min(least, x), drawingWidth)
  return points.length < minPoints || length < minLength || width < minWidth
    ? 'Draw your whole signature, or clear the drawing and type your name only.'
    : null
}

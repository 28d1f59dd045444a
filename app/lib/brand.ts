export const defaultBrand = '#6366f1'

/** A color as it is stored: #rrggbb in either case. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/**
 * The fill and label colors of buttons in a brand color, as hex, with a contrast of at least 4.5:1. The same rule as
 * --brand-solid and --on-brand in tokens.css, for output without our style sheet (favicon, e-mail).
 */
export function buttonColors(color: string): { fill: string; label: string; contrast: number } {
  const rgb = toLinearRgb(color)
  const needsDarkLabel = luminance(rgb) > 0.3
  const factor = needsDarkLabel ? 1 : Math.min(1, 0.178 / Math.max(luminance(rgb), 0.0001))
  const fill = rgb.map((channel) => channel * factor)
  const label = needsDarkLabel ? [0.007, 0.007, 0.007] : [1, 1, 1]
  return { fill: toHex(fill), label: toHex(label), contrast: contrastRatio(luminance(fill), luminance(label)) }
}

/** The favicon as a data URL. */
export const toFaviconUrl = (color: string, initial: string | null): string =>
  `data:image/svg+xml,${encodeURIComponent(drawFavicon(color, initial))}`

/** The favicon as an SVG: the initial, or the platform's logo if it is null. */
export function drawFavicon(color: string, initial: string | null): string {
  const { fill, label } = buttonColors(color)
  const font = 'font-family="system-ui,sans-serif" font-size="14" font-weight="600"'
  const symbol = initial
    ? `<text x="12" y="17" text-anchor="middle" ${font} fill="${label}">${escapeXml(initial)}</text>`
    : `<g fill="none" stroke="${label}" stroke-width="2.2" stroke-linecap="round">${logoPaths}</g>`
  const tile = `<rect width="24" height="24" rx="6" fill="${fill}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${tile}${symbol}</svg>`
}

const logoPaths = '<path d="M6 18V11a6 6 0 0 1 12 0v7"/><path d="M12 18v-6"/>'

function toLinearRgb(color: string): number[] {
  return [1, 3, 5].map((index) => {
    const channel = parseInt(color.slice(index, index + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
}

function toHex(linearRgb: number[]): string {
  return `#${linearRgb
    .map((channel) => {
      const value = channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
      return Math.round(Math.min(1, Math.max(0, value)) * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`
}

function luminance([red = 0, green = 0, blue = 0]: number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastRatio(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

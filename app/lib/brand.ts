export const defaultBrand = '#6366f1'

/** A colour as the product stores it: #rrggbb, either case. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/**
 * The fill and the label that buttons get in a coach's colour, as hex: the same rule as --brand-solid and --on-brand in
 * tokens.css, for places that have no stylesheet of ours (favicon, e-mail). Their contrast is at least 4.5:1.
 */
export function fillOf(color: string): { fill: string; label: string; contrast: number } {
  const light = lightOf(color)
  const dark = luminance(light) > 0.3
  const factor = dark ? 1 : Math.min(1, 0.178 / Math.max(luminance(light), 0.0001))
  const fill = light.map((part) => part * factor)
  const label = dark ? [0.007, 0.007, 0.007] : [1, 1, 1]
  return { fill: hexOf(fill), label: hexOf(label), contrast: contrast(luminance(fill), luminance(label)) }
}

/** A small picture of the mark for the browser's tab, as a data address. */
export function faviconOf(color: string, initial: string | null): string {
  const { fill, label } = fillOf(color)
  const sign = initial
    ? `<text x="12" y="17" text-anchor="middle" font-family="system-ui,sans-serif" font-size="14" font-weight="600" fill="${label}">${escape(initial)}</text>`
    : `<g fill="none" stroke="${label}" stroke-width="2.2" stroke-linecap="round"><path d="M6 18V11a6 6 0 0 1 12 0v7"/><path d="M12 18v-6"/></g>`
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${fill}"/>${sign}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(picture)}`
}

function lightOf(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
}

function hexOf(light: number[]): string {
  return `#${light
    .map((part) => {
      const value = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055
      return Math.round(Math.min(1, Math.max(0, value)) * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`
}

function luminance([red = 0, green = 0, blue = 0]: number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function escape(text: string): string {
  return text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

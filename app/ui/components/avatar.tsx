const hues = [18, 62, 105, 158, 205, 255, 305, 345]

/** The first letters of a person, in a tint that stays the same for the same name; their picture if there is one. */
export function Avatar({ name, image, size }: { name: string; image?: string | null; size?: 'xs' | 'lg' | 'xl' }) {
  const className = `avatar${size ? ` avatar-${size}` : ''}`
  if (image) return <img src={image} alt="" className={`${className} avatar-image`} loading="lazy" decoding="async" />
  return (
    <span className={className} style={{ '--h': hueOf(name) } as React.CSSProperties} aria-hidden="true">
      {getInitials(name)}
    </span>
  )
}

export function hueOf(name: string): number {
  const sum = [...name].reduce((all, sign) => (all * 31 + (sign.codePointAt(0) ?? 0)) >>> 0, 7)
  return hues[sum % hues.length] ?? 75
}

export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = letter(words[0])
  return (first + (words.length > 1 ? letter(words.at(-1)) : '')).toUpperCase() || '?'
}

function letter(word: string | undefined): string {
  return word ? ([...word][0] ?? '') : ''
}

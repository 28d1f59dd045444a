/** The tints of app/styles: `tint-0` to `tint-7`. */
const tints = 8

/** A person's picture, or their initials on a color derived from the name. */
export function Avatar({ name, image, size }: { name: string; image?: string | null; size?: 'xs' | 'lg' | 'xl' }) {
  const className = `avatar${size ? ` avatar-${size}` : ''}`
  if (image) return <img src={image} alt="" className={`${className} avatar-image`} loading="lazy" decoding="async" />
  return (
    <span className={`${className} tint-${tintForName(name)}`} aria-hidden="true">
      {getInitials(name)}
    </span>
  )
}

export function tintForName(name: string): number {
  const sum = [...name].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7)
  return sum % tints
}

export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = firstCharacter(words[0])
  return (first + (words.length > 1 ? firstCharacter(words.at(-1)) : '')).toUpperCase() || '?'
}

function firstCharacter(word: string | undefined): string {
  return word ? ([...word][0] ?? '') : ''
}

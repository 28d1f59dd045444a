import { createElement } from 'react'
import type { Icon } from './button.tsx'

/** The shapes of an icon, as lucide has them. */
type Drawing = { node: [shape: string, attributes: Record<string, string>][] }

/**
 * An icon of its shapes, written out once: one element instead of five, without the settings that lucide's own components
 * look for on each of them (the style sheet's `.i` says how all are drawn).
 */
export default function drawn({ node }: Drawing): Icon {
  const shapes = node.map(
    ([shape, attributes]) =>
      `<${shape} ${Object.entries(attributes)
        .map(([name, value]) => `${name}="${value}"`)
        .join(' ')}></${shape}>`,
  )
  const inside = { __html: shapes.join('') }
  return function Drawn({ className }) {
    return createElement('svg', {
      viewBox: '0 0 24 24',
      className,
      'aria-hidden': true,
      dangerouslySetInnerHTML: inside,
    })
  }
}

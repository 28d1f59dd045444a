import type { Icon } from './button.tsx'

// The few icons that stand on every page, with lucide's strokes. Its own components bring 2 kB of machinery along, which the
// landing and sign-in pages can do without; everywhere else icons come from lucide-react.

const circle = 'M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20'

export const Check = drawn('M20 6 9 17l-5-5')
export const CircleAlert = drawn(`${circle}M12 8v4M12 16h.01`)
export const CircleCheck = drawn(`${circle}M16 9l-5.5 5.5L8 12`)
export const Cross = drawn('M18 6 6 18M6 6l12 12')
export const Reload = drawn(
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16M8 16H3v5',
)
export const Eye = drawn(
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
)
export const EyeOff = drawn(
  'M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49M14.084 14.158a3 3 0 0 1-4.242-4.242M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143M2 2l20 20',
)

function drawn(path: string): Icon {
  return function Drawn({ className }) {
    return (
      <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
        <path d={path} />
      </svg>
    )
  }
}

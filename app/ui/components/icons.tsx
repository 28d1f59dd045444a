import type { Icon } from './button.tsx'

// The few lucide icons that every page needs. Importing them from lucide-react would add its 2 kB runtime to the
// landing and sign-in pages; all other icons come from lucide-react.

const circle = 'M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20'

export const Check = createIcon('M20 6 9 17l-5-5')
export const CircleAlert = createIcon(`${circle}M12 8v4M12 16h.01`)
export const CircleCheck = createIcon(`${circle}M16 9l-5.5 5.5L8 12`)
export const Cross = createIcon('M18 6 6 18M6 6l12 12')
export const Reload = createIcon(
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5',
  'M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16M8 16H3v5',
)
export const Eye = createIcon(
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0',
  'M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
)
export const EyeOff = createIcon(
  'M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49',
  'M14.084 14.158a3 3 0 0 1-4.242-4.242',
  'M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143',
  'M2 2l20 20',
)

function createIcon(...paths: string[]): Icon {
  return function SvgIcon({ className }) {
    return (
      <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
        <path d={paths.join('')} />
      </svg>
    )
  }
}

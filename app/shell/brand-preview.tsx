import { Calendar, House, Moon, Sun, Users } from 'lucide-react'
import { useState, type CSSProperties } from 'react'
import { Logo } from '#app/ui/components/branding.tsx'

/** Previews the coach's page and sidebar with unsaved colors. */
export function BrandPreview({
  name,
  coach,
  color,
  logoUrl,
  address,
}: {
  name: string
  coach: string
  color: string
  logoUrl: string | null
  address: string
}) {
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  const brand = { name, logoUrl, platformName: null }
  return (
    <aside
      aria-label="Live preview"
      data-brand=""
      data-theme={theme}
      style={{ '--brand': color } as CSSProperties}
      className="grid content-start gap-4 rounded-xl border border-line bg-sunken p-5 text-ink sm:p-8"
    >
      <div className="flex items-center justify-between text-sm text-ink-3">
        <span>Live preview</span>
        <div className="seg text-sm" role="group" aria-label="Preview theme">
          <button type="button" aria-pressed={theme === 'light'} aria-label="Light" onClick={() => setTheme('light')}>
            <Sun className="i" />
          </button>
          <button type="button" aria-pressed={theme === 'dark'} aria-label="Dark" onClick={() => setTheme('dark')}>
            <Moon className="i" />
          </button>
        </div>
      </div>
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <div className="flex items-center gap-1.5 border-b border-line bg-canvas px-3.5 py-2.5">
          <span className="size-2.5 rounded-full bg-line" />
          <span className="size-2.5 rounded-full bg-line" />
          <span className="size-2.5 rounded-full bg-line" />
          <span className="ml-3 truncate text-xs text-ink-3">{address}</span>
        </div>
        <div className="px-6 pb-7 pt-6 sm:px-8">
          <div className="mb-6 flex items-center gap-2.5">
            <Logo brand={brand} />
            <span className="min-w-0 truncate font-semibold">{name}</span>
          </div>
          <p className="font-serif text-[1.75rem] leading-[2.125rem] tracking-[-0.015em] wrap-anywhere">{name}</p>
          <p className="mt-2 max-w-80 text-ink-3">
            Coaching with {coach}. <span className="link">About me</span>.
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            <span className="btn btn-primary">Book a session</span>
            <span className="btn btn-secondary">View packages</span>
          </div>
          <div className="mt-6 grid grid-cols-4 gap-1.5 text-center text-sm">
            {['9:00', '9:45', '11:00', '2:30'].map((time) => (
              <span
                key={time}
                className={`num rounded-md border py-1.5 font-medium ${time === '11:00' ? chosen : free}`}
              >
                {time}
              </span>
            ))}
          </div>
        </div>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="grid min-w-0 content-start gap-0.5 rounded-xl border border-line bg-canvas p-3">
          <div className="mb-1.5 flex items-center gap-2 px-1">
            <Logo brand={brand} className={smallLogo} />
            <span className="truncate text-sm font-semibold">{name}</span>
          </div>
          <span className="nav-item" aria-current="page">
            <House className="i" />
            Dashboard
          </span>
          <span className="nav-item">
            <Users className="i" />
            Clients
          </span>
          <span className="nav-item">
            <Calendar className="i" />
            Calendar
          </span>
        </div>
        <InvoicePreview brand={brand} color={color} />
      </div>
    </aside>
  )
}

const smallLogo = '!h-6 !min-w-6 [&:not(img)]:!w-6'
const chosen = 'border-brand-edge bg-brand-soft text-brand-text'
const free = 'border-line text-ink-2'

/** Invoices are paper: light in both themes. */
function InvoicePreview({ brand, color }: { brand: Parameters<typeof Logo>[0]['brand']; color: string }) {
  return (
    <div
      data-brand=""
      data-theme="light"
      style={{ '--brand': color } as CSSProperties}
      className="grid min-w-0 content-start gap-2 rounded-xl border border-line bg-surface p-4 text-sm text-ink"
    >
      <div className="flex items-center justify-between gap-3">
        <Logo brand={brand} className={smallLogo} />
        <span className="font-serif text-lg">Invoice</span>
      </div>
      <div className="mt-1 flex justify-between gap-3 text-ink-3">
        <span>Single session</span>
        <span className="num">180.00</span>
      </div>
      <div className="flex justify-between gap-3 border-t border-line pt-2 font-semibold">
        <span>Total due</span>
        <span className="num">$180.00</span>
      </div>
      <p className="mt-1 text-xs text-ink-3">Due in 14 days</p>
    </div>
  )
}

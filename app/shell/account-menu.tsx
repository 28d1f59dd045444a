import { Form, useLocation, useNavigate, useRouteLoaderData } from '@remix-run/react'
import { Copy, ExternalLink, Globe, LogOut, Monitor, Moon, Settings, ShieldCheck, Sun } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Theme } from '#app/lib/flash.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { positionMenu, popoverTargetProps } from '#app/ui/components/menu.tsx'
import type { loader as rootLoader } from '../root.tsx'
import type { ShellData } from './shell-data.ts'
import { useHideOnNavigation } from './use-hide-on-navigation.ts'
import { useFetcher } from '../ui/forms/use-fetcher.ts'

/** Opens the account menu. Mobile and desktop have one each. */
export function AccountButton({
  menuId,
  userName,
  isCompact = false,
  className,
  children,
}: {
  menuId: string
  userName: string
  /** Without the name as visible text. */
  isCompact?: boolean
  className: string
  children: ReactNode
}) {
  return (
    <button type="button" className={className} {...popoverTargetProps(menuId)}>
      <span className="sr-only">Account: {isCompact && userName}</span>
      {children}
    </button>
  )
}

/** The menu of all account buttons: theme, settings, the coach's public page and own host, log out. */
export function AccountMenu({
  id,
  user,
  ownHost,
  publicPage,
}: Pick<ShellData, 'user' | 'ownHost' | 'publicPage'> & { id: string }) {
  const panel = useRef<HTMLElement>(null)
  useHideOnNavigation(panel)
  useEffect(() => {
    const menu = panel.current
    if (!menu) return
    const onToggle = () => {
      const open = menu.matches(':popover-open')
      const buttons = [...document.querySelectorAll<HTMLElement>(`[popovertarget="${id}"]`)]
      for (const button of buttons) button.setAttribute('aria-expanded', String(open))
      // Safari doesn't focus a clicked button: fall back to the visible one.
      const trigger =
        buttons.find((button) => button === document.activeElement) ??
        buttons.find((button) => button.checkVisibility())
      if (open && trigger) positionMenu(menu, trigger)
    }
    onToggle()
    menu.addEventListener('toggle', onToggle)
    return () => menu.removeEventListener('toggle', onToggle)
  }, [id])

  return (
    <nav ref={panel} id={id} aria-label="Your account" className="menu w-60" {...{ popover: 'auto' }}>
      <div className="px-2.5 pb-2 pt-1.5">
        <p className="truncate font-semibold">{user.name}</p>
        <p className="truncate text-sm text-ink-3">{user.email}</p>
      </div>
      <div className="px-1 pb-1.5">
        <ThemeChoice />
      </div>
      <div className="menu-sep" />
      <Link to="/settings" className="menu-item">
        <Settings className="i" />
        Settings
      </Link>
      <Link to="/security" className="menu-item">
        <ShieldCheck className="i" />
        Security
      </Link>
      {publicPage && (
        <>
          <a className="menu-item" href={`${publicPage}/?view=public`} target="_blank" rel="noreferrer">
            <Globe className="i" />
            View Public Page
          </a>
          <SharePage address={publicPage} />
        </>
      )}
      {ownHost && (
        // The response leads to another host: submit natively, without Remix.
        <form method="post" action="/handover">
          <button type="submit" className="menu-item" title={ownHost}>
            <ExternalLink className="i" />
            <span className="truncate">Open {ownHost}</span>
          </button>
        </form>
      )}
      <Form method="post" action="/logout">
        <button type="submit" className="menu-item">
          <LogOut className="i" />
          Log out
        </button>
      </Form>
    </nav>
  )
}

/** Copies the address. Without scripts, and where the browser refuses, it leads to the page with the address. */
function SharePage({ address }: { address: string }) {
  const [isCopied, setCopied] = useState(false)
  const navigate = useNavigate()
  return (
    <Link
      to={addressPage}
      className="menu-item"
      onClick={(event) => {
        if (!navigator.clipboard) return
        event.preventDefault()
        navigator.clipboard.writeText(address).then(
          () => setCopied(true),
          () => navigate(addressPage),
        )
      }}
    >
      <Copy className="i" />
      <span aria-live="polite">{isCopied ? 'Address copied' : 'Copy Address'}</span>
    </Link>
  )
}

const addressPage = '/branding#public-page'

const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
]

export function ThemeChoice({ labelled = false }: { labelled?: boolean }) {
  const saved = useRouteLoaderData<typeof rootLoader>('root')?.theme ?? 'system'
  const fetcher = useFetcher({ key: 'theme' })
  const selected = fetcher.formData?.get('theme') ?? saved
  const { pathname, search } = useLocation()
  return (
    <fetcher.Form method="post" action="/theme">
      {/* Without JavaScript, the action redirects back to this page. */}
      <input type="hidden" name="back" value={pathname + search} />
      <div className={`seg !grid grid-cols-3 ${labelled ? 'max-w-lg' : ''}`} role="group" aria-label="Theme">
        {themes.map(({ value, label, icon: Icon }) => (
          <button
            key={value}
            type="submit"
            name="theme"
            value={value}
            aria-pressed={selected === value}
            aria-label={labelled ? undefined : label}
            title={labelled ? undefined : label}
            onClick={(event) => {
              event.preventDefault()
              fetcher.submit({ theme: value }, { method: 'post', action: '/theme' })
            }}
          >
            <Icon className="i" />
            {labelled && <span className="whitespace-nowrap max-sm:sr-only">{label}</span>}
          </button>
        ))}
      </div>
    </fetcher.Form>
  )
}

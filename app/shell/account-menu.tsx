import { Form, useFetcher, useLocation, useRouteLoaderData } from '@remix-run/react'
import { ExternalLink, LogOut, Monitor, Moon, Settings, Sun, Trash2 } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Theme } from '#app/lib/flash.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { placeBeside, popoverTarget } from '#app/ui/components/menu.tsx'
import type { loader as rootLoader } from '../root.tsx'
import type { ShellData } from './layout.tsx'

/** The button of the account's menu; a screen may have several. */
export function AccountButton({
  menuId,
  user,
  className,
  children,
}: {
  menuId: string
  user: ShellData['user']
  className: string
  children: ReactNode
}) {
  return (
    <button type="button" aria-label={`Account: ${user.name}`} className={className} {...popoverTarget(menuId)}>
      {children}
    </button>
  )
}

/** Who is signed in, light or dark, the way to one's own address, and out: once, for all of its buttons. */
export function AccountMenu({ id, user, ownHost }: Pick<ShellData, 'user' | 'ownHost'> & { id: string }) {
  const panel = useRef<HTMLElement>(null)
  const { key } = useLocation()

  // Not when the scripts arrive: the menu may have been opened before them.
  const shownAt = useRef(key)
  useEffect(() => {
    if (shownAt.current === key) return
    shownAt.current = key
    panel.current?.hidePopover()
  }, [key])
  useEffect(() => {
    const menu = panel.current
    if (!menu) return
    const onToggle = () => {
      const open = menu.matches(':popover-open')
      const buttons = [...document.querySelectorAll<HTMLElement>(`[popovertarget="${id}"]`)]
      for (const button of buttons) button.setAttribute('aria-expanded', String(open))
      // The one that was pressed; where a press gives no focus, the one that can be seen.
      const button =
        buttons.find((one) => one === document.activeElement) ?? buttons.find((one) => one.checkVisibility())
      if (open && button) placeBeside(menu, button)
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
      <Link to="/trash" className="menu-item">
        <Trash2 className="i" />
        Trash
      </Link>
      {ownHost && (
        // Answered with a redirect to another host, so the browser itself has to follow.
        <form method="post" action="/handover">
          <button type="submit" className="menu-item">
            <ExternalLink className="i" />
            Go to my own address
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

const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'Like my device', icon: Monitor },
]

export function ThemeChoice({ labelled = false }: { labelled?: boolean }) {
  const saved = useRouteLoaderData<typeof rootLoader>('root')?.theme ?? 'system'
  const fetcher = useFetcher({ key: 'theme' })
  const chosen = fetcher.formData?.get('theme') ?? saved
  const { pathname, search } = useLocation()
  return (
    <fetcher.Form method="post" action="/theme">
      {/* Before scripts the browser comes back to this page by itself. */}
      <input type="hidden" name="back" value={pathname + search} />
      <div className={`seg !grid grid-cols-3 ${labelled ? 'max-w-lg' : ''}`} role="group" aria-label="Theme">
        {themes.map(({ value, label, icon: Icon }) => (
          <button
            key={value}
            type="submit"
            name="theme"
            value={value}
            aria-pressed={chosen === value}
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

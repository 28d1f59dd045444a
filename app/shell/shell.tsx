import { Form, useLocation } from '@remix-run/react'
import { LogOut, Menu as MenuIcon, Search, X } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Signature, useIdentity } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { popoverTarget } from '#app/ui/components/menu.tsx'
import { useTrail } from '#app/ui/navigation/navigation-history.ts'
import { Unsaved } from '#app/ui/forms/unsaved-changes.tsx'
import { AccountButton, AccountMenu } from './account-menu.tsx'
import { iconOf } from './nav-icons.ts'
import type { ShellData } from './layout.tsx'
import { PoweredBy } from './powered-by.tsx'
import { SearchBox } from './search-box.tsx'
import { Underway } from './navigation-progress.tsx'

let arrived = false
const palette = () =>
  import('./command-palette.tsx').then((module) => {
    arrived = true
    return module
  })
const Palette = lazy(palette)

export type NavEntry = { label: string; to: string; icon: string; badge: number }

/** Sidebar and sheet of paper from lg; below it a bar on top, tabs at the bottom, and everything else under 'More'. */
export function AppShell({ children, widgets, ...shell }: ShellData & { children: ReactNode; widgets?: string }) {
  const identity = useIdentity()
  const [sheetId, menuId] = [useId(), useId()]
  const [searching, setSearching] = useState(false)
  const endSearch = useCallback(() => setSearching(false), [])
  useShortcut(() => setSearching(true))
  useTrail()
  if (!identity) return null
  return (
    <>
      <Unsaved />
      <div className="min-h-dvh lg:grid lg:grid-cols-[var(--spacing-sidebar)_minmax(0,1fr)]">
        <Sidebar id={sheetId} menuId={menuId} {...shell} />
        <div className="flex min-h-dvh min-w-0 flex-col lg:py-2 lg:pr-2">
          <header className="sticky top-0 z-30 flex h-14 items-center gap-2.5 border-b border-line bg-canvas/95 px-4 backdrop-blur lg:hidden">
            <Link to="/dashboard" className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md py-1">
              <Signature identity={identity} />
            </Link>
            <Link
              to="/search"
              className="btn btn-ghost btn-icon"
              aria-label="Search"
              onClick={(event) => {
                event.preventDefault()
                setSearching(true)
              }}
            >
              <Search className="i !size-5" />
            </Link>
            <AccountButton menuId={menuId} user={shell.user} className="grid size-11 place-items-center rounded-full">
              <Avatar name={shell.user.name} image={shell.user.image} />
            </AccountButton>
          </header>
          <main
            id="main"
            tabIndex={-1}
            data-widgets={widgets || undefined}
            className="min-w-0 flex-1 bg-surface pb-24 outline-none lg:rounded-xl lg:border lg:border-line lg:pb-10"
          >
            {children}
          </main>
          {shell.poweredBy && (
            <footer className="bg-canvas px-4 pb-20 pt-3 text-center text-sm text-ink-3 lg:pb-0">
              <PoweredBy />
            </footer>
          )}
        </div>
      </div>
      <BottomTabs main={shell.main} sheetId={sheetId} />
      <Underway />
      <AccountMenu id={menuId} user={shell.user} ownHost={shell.ownHost} />
      {searching && (
        <Suspense fallback={null}>
          <Palette onClose={endSearch} />
        </Suspense>
      )}
    </>
  )
}

/** The places to go, and the user. Below lg it is the sheet behind 'More'. */
function Sidebar({ id, menuId, main, lower, usage, user }: ShellData & { id: string; menuId: string }) {
  const sheet = useRef<HTMLElement>(null)
  const identity = useIdentity()
  const { key } = useLocation()
  // Not when the scripts arrive: the sheet may have been opened before them.
  const shownAt = useRef(key)
  useEffect(() => {
    if (shownAt.current === key) return
    shownAt.current = key
    sheet.current?.hidePopover()
  }, [key])
  return (
    <aside ref={sheet} id={id} className="sidebar" {...{ popover: 'auto' }}>
      <div className="flex items-center">
        <Link to="/dashboard" className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5 py-1">
          {identity && <Signature identity={identity} />}
        </Link>
        <button type="button" className="btn btn-ghost btn-icon lg:hidden" aria-label="Close" {...popoverTarget(id)}>
          <X className="i" />
        </button>
      </div>
      <div className="max-lg:hidden">
        <SearchBox />
      </div>
      <nav aria-label="Main" className="-mx-1 grid min-h-0 content-start gap-0.5 overflow-y-auto px-1 py-px">
        {main.map((entry) => (
          <NavLink key={entry.to} entry={entry} />
        ))}
      </nav>
      <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-0.5">
        <nav aria-label="Account" className="grid gap-0.5">
          {lower.map((entry) => (
            <NavLink key={entry.to} entry={entry} />
          ))}
          <UpgradeLink usage={usage} />
        </nav>
        <div className="mt-3 flex items-center gap-1 border-t border-line pt-2.5">
          <AccountButton
            menuId={menuId}
            user={user}
            className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5 py-1 text-left hover:bg-hover"
          >
            <Avatar name={user.name} image={user.image} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-semibold">{user.name}</span>
              <span className="block truncate text-xs text-ink-3">{user.email}</span>
            </span>
          </AccountButton>
          <Form method="post" action="/logout">
            <button type="submit" className="btn btn-ghost btn-sm btn-icon" aria-label="Log out">
              <LogOut className="i" />
            </button>
          </Form>
        </div>
      </div>
    </aside>
  )
}

function NavLink({ entry }: { entry: NavEntry }) {
  const { pathname } = useLocation()
  const Icon = iconOf(entry.icon)
  return (
    <Link
      className="nav-item"
      to={entry.to}
      prefetch="intent"
      aria-current={isWithin(pathname, entry.to) ? 'page' : undefined}
    >
      <Icon className="i" />
      <span>{entry.label}</span>
      {entry.badge > 0 && <span className="num ml-auto text-xs text-ink-3">{entry.badge.toLocaleString('en-US')}</span>}
    </Link>
  )
}

function UpgradeLink({ usage: { clients, limit } }: { usage: ShellData['usage'] }) {
  const { pathname } = useLocation()
  const Icon = iconOf('sparkles')
  return (
    <Link
      className="nav-item nav-up mt-1.5"
      to="/upgrade"
      prefetch="intent"
      aria-current={isWithin(pathname, '/upgrade') ? 'page' : undefined}
    >
      <Icon className="i" />
      <span>Upgrade Plan</span>
      {limit !== null && (
        <span className="num ml-auto text-xs">
          {clients} of {limit}
        </span>
      )}
    </Link>
  )
}

const tabOrder = ['/dashboard', '/clients', '/calendar', '/payments']

/** The places of the day that exist, and the sheet with all of them. */
function BottomTabs({ main, sheetId }: { main: NavEntry[]; sheetId: string }) {
  const { pathname } = useLocation()
  const rank = (entry: NavEntry) => (tabOrder.includes(entry.to) ? tabOrder.indexOf(entry.to) : tabOrder.length)
  const tabs = [...main].sort((a, b) => rank(a) - rank(b)).slice(0, 4)
  const tab = 'flex h-14 flex-col items-center justify-center gap-1 text-2xs font-medium -outline-offset-2'
  return (
    <nav
      aria-label="Main"
      className="no-print fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {tabs.map((entry) => {
        const Icon = iconOf(entry.icon)
        const current = isWithin(pathname, entry.to)
        return (
          <Link
            key={entry.to}
            to={entry.to}
            className={`${tab} ${current ? 'text-brand-text' : 'text-ink-3'}`}
            aria-current={current ? 'page' : undefined}
          >
            <Icon className="i !size-5" />
            {entry.label}
          </Link>
        )
      })}
      <button type="button" className={`${tab} text-ink-3`} aria-haspopup="true" {...popoverTarget(sheetId)}>
        <MenuIcon className="i !size-5" />
        More
      </button>
    </nav>
  )
}

/** Ctrl/Cmd+K, from anywhere. */
function useShortcut(open: () => void) {
  const act = useRef(open)
  act.current = open
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Who types on at once should not have to wait for it: it comes while K is still on its way.
      if (event.key === 'Control' || event.key === 'Meta') void palette().catch(() => {})
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      const field = document.querySelector<HTMLInputElement>('.sidebar [role="combobox"]')
      if (arrived || !field?.checkVisibility()) return act.current()
      // On a slow line it comes late: who types on meanwhile does so in the search that is there, and stays in it.
      const before = document.activeElement
      field.focus()
      const open = () => {
        if (document.activeElement !== field || field.value !== '') return
        if (before instanceof HTMLElement) before.focus()
        act.current()
      }
      palette().then(open, () => {})
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Addresses lead to their screens in any case. */
function isWithin(pathname: string, place: string): boolean {
  return `${pathname.toLowerCase()}/`.startsWith(`${place}/`)
}

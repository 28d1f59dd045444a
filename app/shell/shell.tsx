import { Form, useLocation } from '@remix-run/react'
import { ChevronsUpDown, LogOut, Menu as MenuIcon, Search, X } from 'lucide-react'
import { lazy, Suspense, useCallback, useId, useRef, useState, type ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { popoverTargetProps } from '#app/ui/components/menu.tsx'
import { useDialogTypeahead } from '#app/ui/components/dialog-typeahead.ts'
import { useHistoryStack } from '#app/ui/navigation/navigation-history.ts'
import { UnsavedChangesGuard } from '#app/ui/forms/unsaved-changes.tsx'
import { useIsomorphicLayoutEffect } from '#app/ui/use-isomorphic-layout-effect.ts'
import { AccountButton, AccountMenu } from './account-menu.tsx'
import { navIcon } from './nav-icons.ts'
import { NavigationProgress } from './navigation-progress.tsx'
import { PoweredBy } from './powered-by.tsx'
import { SearchBox } from './search-box.tsx'
import { toCommands } from './search-commands.ts'
import { getPlanPageName, type NavEntry, type ShellData } from './shell-data.ts'
import { useHideOnNavigation } from './use-hide-on-navigation.ts'
import { VerifyEmailNotice } from './verify-email-notice.tsx'

let isPaletteLoaded = false
const loadPalette = () =>
  import('./command-palette.tsx').then((module) => {
    isPaletteLoaded = true
    return module
  })
const CommandPalette = lazy(loadPalette)

/**
 * The frame of signed-in pages. From lg, a sidebar beside the page. Below lg, a bar at the top, tabs at the bottom, and
 * the sidebar as a sheet behind 'More'.
 */
export function AppShell({ children, widgets, ...shell }: ShellData & { children: ReactNode; widgets?: string }) {
  const brand = useBrand()
  const [sheetId, menuId] = [useId(), useId()]
  const [isSearching, setSearching] = useState(false)
  const closeSearch = useCallback(() => setSearching(false), [])
  useSearchShortcut(() => setSearching(true))
  useHistoryStack()
  useDialogTypeahead()
  if (!brand) return null
  return (
    <>
      <UnsavedChangesGuard />
      <div className="min-h-dvh lg:grid lg:grid-cols-[var(--spacing-sidebar)_minmax(0,1fr)]">
        <Sidebar id={sheetId} menuId={menuId} {...shell} />
        <div className="flex min-h-dvh min-w-0 flex-col lg:py-2 lg:pr-2">
          <header
            className={`sticky top-0 z-30 flex h-14 items-center gap-2.5 border-b border-line bg-canvas/95 px-4
              backdrop-blur lg:hidden`}
          >
            <Link to="/dashboard" className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md py-1">
              <BrandLockup brand={brand} />
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
            <AccountButton
              menuId={menuId}
              userName={shell.user.name}
              isCompact
              className="grid size-11 place-items-center rounded-full"
            >
              <Avatar name={shell.user.name} image={shell.user.image} />
            </AccountButton>
          </header>
          <main
            id="main"
            tabIndex={-1}
            data-widgets={widgets || undefined}
            className="min-w-0 flex-1 bg-surface pb-24 outline-none lg:rounded-xl lg:border lg:border-line lg:pb-10"
          >
            {shell.unverifiedEmail !== null && <VerifyEmailNotice email={shell.unverifiedEmail} />}
            {shell.bars && <div dangerouslySetInnerHTML={{ __html: shell.bars }} />}
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
      <NavigationProgress />
      <AccountMenu id={menuId} user={shell.user} ownHost={shell.ownHost} publicPage={shell.publicPage} />
      {isSearching && (
        <Suspense fallback={null}>
          <CommandPalette commands={toCommands(shell)} onClose={closeSearch} />
        </Suspense>
      )}
    </>
  )
}

/** Navigation and account. Below lg a popover that 'More' opens. */
function Sidebar({ id, menuId, main, lower, usage, user }: ShellData & { id: string; menuId: string }) {
  const sidebar = useRef<HTMLElement>(null)
  const brand = useBrand()
  useHideOnNavigation(sidebar)
  return (
    <aside ref={sidebar} id={id} className="sidebar" {...{ popover: 'auto' }}>
      <div className="flex items-center">
        <Link to="/dashboard" className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5 py-1">
          {brand && <BrandLockup brand={brand} />}
        </Link>
        <button
          type="button"
          className="btn btn-ghost btn-icon lg:hidden"
          aria-label="Close"
          {...popoverTargetProps(id)}
        >
          <X className="i" />
        </button>
      </div>
      <div className="max-lg:hidden">
        <SearchBox />
      </div>
      <nav
        aria-label="Main"
        className="-m-1 grid min-h-0 content-start gap-0.5 overflow-y-auto p-1 max-lg:shrink-0 max-lg:overflow-visible"
      >
        {main.map((entry) => (
          <NavLink key={entry.to} entry={entry} />
        ))}
      </nav>
      <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-0.5">
        <nav aria-label="Account" className="grid gap-0.5">
          {lower.map((entry) => (
            <NavLink key={entry.to} entry={entry} />
          ))}
          <PlanLink usage={usage} />
        </nav>
        <div className="mt-3 flex items-center gap-1 border-t border-line pt-2.5">
          <AccountButton
            menuId={menuId}
            userName={user.name}
            className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5 py-1 text-left hover:bg-hover"
          >
            <Avatar name={user.name} image={user.image} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-semibold">{user.name}</span>
              <span className="block truncate text-xs text-ink-3">{user.email}</span>
            </span>
            <ChevronsUpDown className="i text-ink-3" />
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
  const Icon = navIcon(entry.icon)
  return (
    <Link
      className="nav-item"
      to={entry.to}
      prefetch="intent"
      aria-current={isCurrent(pathname, entry) ? 'page' : undefined}
    >
      <Icon className="i" />
      <span>{entry.label}</span>
      {entry.badge > 0 && <span className="num ml-auto text-xs text-ink-3">{entry.badge.toLocaleString('en-US')}</span>}
    </Link>
  )
}

function PlanLink({ usage: { clients, limit } }: { usage: ShellData['usage'] }) {
  const { pathname } = useLocation()
  const Icon = navIcon('sparkles')
  return (
    <Link
      className={`nav-item ${limit === null ? '' : 'nav-up'} mt-1.5`}
      to="/upgrade"
      prefetch="intent"
      aria-current={isWithin(pathname, '/upgrade') ? 'page' : undefined}
    >
      <Icon className="i" />
      <span>{getPlanPageName(limit)}</span>
      {limit !== null && (
        <span className="num ml-auto text-xs">
          {clients} of {limit}
        </span>
      )}
    </Link>
  )
}

const tabOrder = ['/dashboard', '/clients', '/calendar', '/payments']

/** The four most used pages, and a button for the sidebar. */
function BottomTabs({ main, sheetId }: { main: NavEntry[]; sheetId: string }) {
  const { pathname } = useLocation()
  const rank = (entry: NavEntry) => (tabOrder.includes(entry.to) ? tabOrder.indexOf(entry.to) : tabOrder.length)
  const tabs = [...main].sort((a, b) => rank(a) - rank(b)).slice(0, 4)
  const tabClass = 'flex h-14 flex-col items-center justify-center gap-1 text-2xs font-medium -outline-offset-2'
  return (
    <nav
      aria-label="Main"
      className={`no-print fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-surface
        pb-[env(safe-area-inset-bottom)] lg:hidden`}
    >
      {tabs.map((entry) => {
        const Icon = navIcon(entry.icon)
        const isHere = isCurrent(pathname, entry)
        return (
          <Link
            key={entry.to}
            to={entry.to}
            className={`${tabClass} ${isHere ? 'text-brand-text' : 'text-ink-3'}`}
            aria-current={isHere ? 'page' : undefined}
          >
            <Icon className="i !size-5" />
            {entry.label}
          </Link>
        )
      })}
      <button type="button" className={`${tabClass} text-ink-3`} aria-haspopup="true" {...popoverTargetProps(sheetId)}>
        <MenuIcon className="i !size-5" />
        More
      </button>
    </nav>
  )
}

/** Ctrl/Cmd+K, from anywhere. */
function useSearchShortcut(open: () => void) {
  const latestOpen = useRef(open)
  latestOpen.current = open
  useIsomorphicLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Load the palette while the second key is still on its way.
      if (event.key === 'Control' || event.key === 'Meta') void loadPalette().catch(() => {})
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      const sidebarInput = document.querySelector<HTMLInputElement>('.sidebar [role="combobox"]')
      if (isPaletteLoaded || !sidebarInput?.checkVisibility()) return latestOpen.current()
      // On a slow connection, take what the user types in the sidebar's field, and stay there once they have typed.
      const focused = document.activeElement
      sidebarInput.focus()
      const openUnlessTyping = () => {
        if (document.activeElement !== sidebarInput || sidebarInput.value !== '') return
        if (focused instanceof HTMLElement) focused.focus()
        latestOpen.current()
      }
      loadPalette().then(openUnlessTyping, () => {})
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isCurrent(pathname: string, { to, otherPaths = [] }: NavEntry): boolean {
  return [to, ...otherPaths].some((path) => isWithin(pathname, path))
}

/** Ignores case, as the router does. */
function isWithin(pathname: string, path: string): boolean {
  return `${pathname.toLowerCase()}/`.startsWith(`${path}/`)
}

import { useNavigate, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import type { Icon } from './button.tsx'
import { MenuItems, moveMenuFocus, positionMenu, type MenuEntry } from './menu.tsx'

type RowMenuEntry = { label: string; icon: Icon; danger?: boolean } & (
  | { to: string; fields?: undefined }
  /** Posts these fields to the current URL. */
  | { fields: Record<string, string>; to?: undefined }
)
type MenuRow = { id: number; name: string }

/** Opens the menu of its row. Without JavaScript it is a link to `href`, a page with the same actions. */
export function MenuButton({ row, href, className = '' }: { row: MenuRow; href: string; className?: string }) {
  return (
    <a
      href={href}
      role="button"
      aria-haspopup="menu"
      aria-label={`Actions for ${row.name}`}
      data-menu={row.id}
      className={`btn btn-ghost btn-sm btn-icon btn-more ${className}`}
    />
  )
}

/**
 * One menu and one click handler for all rows: fifty of each would outweigh the list itself. Returns the event handlers
 * for the element around the rows, and the menu. Links to a row's page or dialog are plain `<a data-row>` elements with
 * a path of the product, because Remix's links render again with each navigation.
 */
export function useRowMenu<Row extends MenuRow>(rows: Row[], getEntries: (row: Row) => (RowMenuEntry | 'separator')[]) {
  const panel = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const submit = useSubmit()
  const [open, setOpen] = useState<{ row: Row; button: HTMLElement } | null>(null)

  function openMenu(target: EventTarget, event: { preventDefault(): void }) {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-menu]') : null
    const row = button && rows.find(({ id }) => String(id) === button.dataset.menu)
    if (!button || !row) return
    event.preventDefault()
    setOpen({ row, button })
  }

  useEffect(() => {
    const menu = panel.current
    if (!menu || !open) return
    const { button } = open
    menu.showPopover()
    positionMenu(menu, button)
    button.setAttribute('aria-expanded', 'true')
    menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true })
    const onToggle = (event: Event) => {
      if (!('newState' in event) || event.newState !== 'closed') return
      button.removeAttribute('aria-expanded')
      if (document.activeElement === document.body || menu.contains(document.activeElement))
        button.focus({ preventScroll: true })
      setOpen(null)
    }
    const onKey = (event: KeyboardEvent) => moveMenuFocus(menu, event)
    const close = () => menu.hidePopover()
    menu.addEventListener('toggle', onToggle)
    menu.addEventListener('keydown', onKey)
    window.addEventListener('resize', close)
    document.addEventListener('scroll', close, { capture: true, passive: true })
    return () => {
      menu.removeEventListener('toggle', onToggle)
      menu.removeEventListener('keydown', onKey)
      window.removeEventListener('resize', close)
      document.removeEventListener('scroll', close, { capture: true })
      button.removeAttribute('aria-expanded')
    }
  }, [open])

  function toMenuEntry(entry: RowMenuEntry | 'separator'): MenuEntry {
    if (entry === 'separator') return entry
    const { label, icon, danger, to, fields } = entry
    if (to !== undefined) return { label, icon, danger, to, preventScrollReset: true }
    return { label, icon, danger, onSelect: () => submit(fields, { method: 'post', preventScrollReset: true }) }
  }

  return {
    handlers: {
      onClick: (event: MouseEvent) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        openMenu(event.target, event)
        const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-row]') : null
        if (!link || event.defaultPrevented) return
        event.preventDefault()
        // Opening a dialog must not scroll the page.
        navigate(link.pathname + link.search + link.hash, {
          preventScrollReset: link.pathname === window.location.pathname,
        })
      },
      onKeyDown: (event: React.KeyboardEvent) => {
        if (event.key === ' ' || event.key === 'ArrowDown') openMenu(event.target, event)
      },
    },
    menu: open && (
      <div
        ref={panel}
        role="menu"
        aria-label={`Actions for ${open.row.name}`}
        className="menu"
        {...{ popover: 'auto' }}
      >
        <MenuItems entries={getEntries(open.row).map(toMenuEntry)} close={() => panel.current?.hidePopover()} />
      </div>
    ),
  }
}

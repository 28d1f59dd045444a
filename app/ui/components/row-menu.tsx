import { useNavigate, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState, type MouseEvent } from 'react'
import type { Icon } from './button.tsx'
import { MenuItems, moveFocus, placeBeside, type MenuEntry } from './menu.tsx'

export type RowMenuEntry = { label: string; icon: Icon; danger?: boolean } & (
  | { to: string; send?: undefined }
  /** A deed of one press: what is sent to the page's own address. */
  | { send: Record<string, string>; to?: undefined }
)
export type MenuRow = { id: number; name: string }

/** The sign of the row menus, drawn once on the page. */
export function MenuSign() {
  return (
    <svg className="hidden" aria-hidden="true">
      <symbol
        id="more"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="12" cy="12" r="1" />
        <circle cx="19" cy="12" r="1" />
        <circle cx="5" cy="12" r="1" />
      </symbol>
    </svg>
  )
}

/** Opens the menu of its row. Before scripts it leads to `href`, where the same can be done. */
export function MenuButton({ row, href, className = '' }: { row: MenuRow; href: string; className?: string }) {
  return (
    <a
      href={href}
      role="button"
      aria-haspopup="menu"
      aria-label={`Actions for ${row.name}`}
      data-menu={row.id}
      className={`btn btn-ghost btn-sm btn-icon ${className}`}
    >
      <svg className="i" aria-hidden="true">
        <use href="#more" />
      </svg>
    </a>
  )
}

/**
 * One menu for all rows, and one way to their pages: fifty of each would weigh more than the list itself. Answers the
 * handlers for what holds the rows (their links are marked `data-row`), and the menu.
 */
export function useRowMenu(rows: MenuRow[], entriesOf: (row: MenuRow) => (RowMenuEntry | 'line')[]) {
  const panel = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const submit = useSubmit()
  const [open, setOpen] = useState<{ row: MenuRow; button: HTMLElement } | null>(null)

  function ask(target: EventTarget, event: { preventDefault(): void }) {
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
    placeBeside(menu, button)
    button.setAttribute('aria-expanded', 'true')
    menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true })
    const onToggle = (event: Event) => {
      if (!('newState' in event) || event.newState !== 'closed') return
      button.removeAttribute('aria-expanded')
      if (document.activeElement === document.body || menu.contains(document.activeElement))
        button.focus({ preventScroll: true })
      setOpen(null)
    }
    const onKey = (event: KeyboardEvent) => moveFocus(menu, event)
    const away = () => menu.hidePopover()
    menu.addEventListener('toggle', onToggle)
    menu.addEventListener('keydown', onKey)
    window.addEventListener('resize', away)
    document.addEventListener('scroll', away, { capture: true, passive: true })
    return () => {
      menu.removeEventListener('toggle', onToggle)
      menu.removeEventListener('keydown', onKey)
      window.removeEventListener('resize', away)
      document.removeEventListener('scroll', away, { capture: true })
      button.removeAttribute('aria-expanded')
    }
  }, [open])

  /** What a choice of it does. The list stays where it is scrolled to. */
  function chosen(entry: RowMenuEntry | 'line'): MenuEntry {
    if (entry === 'line') return entry
    const { label, icon, danger, to, send } = entry
    if (to !== undefined) return { label, icon, danger, to, preventScrollReset: true }
    return { label, icon, danger, onSelect: () => submit(send, { method: 'post', preventScrollReset: true }) }
  }

  return {
    handlers: {
      onClick: (event: MouseEvent) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        ask(event.target, event)
        const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-row]') : null
        if (!link || event.defaultPrevented) return
        event.preventDefault()
        navigate(link.pathname)
      },
      onKeyDown: (event: React.KeyboardEvent) => {
        if (event.key === ' ' || event.key === 'ArrowDown') ask(event.target, event)
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
        <MenuItems entries={entriesOf(open.row).map(chosen)} close={() => panel.current?.hidePopover()} />
      </div>
    ),
  }
}

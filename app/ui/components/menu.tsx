import { useEffect, useId, useRef, type ButtonHTMLAttributes, type KeyboardEvent, type ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

export type MenuEntry =
  // `reload` for what is no page, such as a download.
  | { label: string; icon?: Icon; to: string; danger?: boolean; preventScrollReset?: boolean; reload?: boolean }
  | { label: string; icon?: Icon; onSelect: () => void; danger?: boolean; to?: undefined }
  | 'line'

/**
 * A button with a menu of places and deeds. The menu is a native popover: it opens before scripts have loaded, closes on
 * Escape and on a press elsewhere. Scripts add arrow keys, Home, End and first letters.
 */
export function Menu({
  label,
  children,
  entries,
  className = 'btn btn-ghost btn-sm btn-icon',
}: {
  /** The button's name, such as 'Actions for Ada Lovelace'. */
  label: string
  children: ReactNode
  entries: MenuEntry[]
  className?: string
}) {
  const id = useId()
  const { trigger, panel } = useMenu()
  return (
    <>
      <button
        ref={trigger}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        className={className}
        {...popoverTarget(id)}
      >
        {children}
      </button>
      <div ref={panel} id={id} role="menu" aria-label={label} className="menu" {...{ popover: 'auto' }}>
        <MenuItems entries={entries} close={() => panel.current?.hidePopover()} />
      </div>
    </>
  )
}

/** What stands in a menu; a press `close`s it first. */
export function MenuItems({ entries, close }: { entries: MenuEntry[]; close: () => void }) {
  return entries.map((entry, at) => {
    if (entry === 'line') return <div key={at} role="separator" className="menu-sep" />
    const look = { role: 'menuitem', tabIndex: -1, className: `menu-item${entry.danger ? ' danger' : ''}` }
    const face = (
      <>
        {entry.icon && <entry.icon className="i" />}
        {entry.label}
      </>
    )
    return entry.to !== undefined ? (
      <Link
        key={at}
        {...look}
        to={entry.to}
        preventScrollReset={entry.preventScrollReset}
        reloadDocument={entry.reload}
        onClick={close}
      >
        {face}
      </Link>
    ) : (
      <button
        key={at}
        type="button"
        {...look}
        onClick={() => {
          close()
          entry.onSelect()
        }}
      >
        {face}
      </button>
    )
  })
}

/** React 18 doesn't know the popover attributes: they pass through in lower case. */
export function popoverTarget(id: string): ButtonHTMLAttributes<HTMLButtonElement> {
  return Object.fromEntries([['popovertarget', id]])
}

function useMenu() {
  const trigger = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const menu = panel.current
    const button = trigger.current
    if (!menu || !button) return
    const onToggle = (event: Event) => {
      const open = 'newState' in event && event.newState === 'open'
      button.setAttribute('aria-expanded', String(open))
      if (!open) return
      placeBeside(menu, button)
      items(menu)[0]?.focus({ preventScroll: true })
    }
    const onKey = (event: globalThis.KeyboardEvent) => moveFocus(menu, event)
    const onButtonKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      menu.showPopover()
    }
    const onScroll = () => menu.matches(':popover-open') && placeBeside(menu, button)
    menu.addEventListener('toggle', onToggle)
    menu.addEventListener('keydown', onKey)
    button.addEventListener('keydown', onButtonKey)
    window.addEventListener('resize', onScroll)
    document.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => {
      menu.removeEventListener('toggle', onToggle)
      menu.removeEventListener('keydown', onKey)
      button.removeEventListener('keydown', onButtonKey)
      window.removeEventListener('resize', onScroll)
      document.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [])

  return { trigger, panel }
}

function items(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

/** Arrow keys, Home, End and first letters, within a menu. */
export function moveFocus(
  menu: HTMLElement,
  event: Pick<KeyboardEvent, 'key' | 'preventDefault' | 'ctrlKey' | 'metaKey' | 'altKey'>,
) {
  const all = items(menu)
  const at = all.findIndex((item) => item === document.activeElement)
  const to = next(all, at, event)
  if (event.key === 'Tab') menu.hidePopover()
  if (to === undefined) return
  event.preventDefault()
  all[to]?.focus()
}

function next(
  all: HTMLElement[],
  at: number,
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): number | undefined {
  if (event.key === 'ArrowDown') return (at + 1) % all.length
  if (event.key === 'ArrowUp') return (at - 1 + all.length) % all.length
  if (event.key === 'Home') return 0
  if (event.key === 'End') return all.length - 1
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const letter = event.key.toLowerCase()
  const order = [...all.keys()].map((step) => (at + 1 + step) % all.length)
  return order.find((index) => all[index]?.textContent?.trim().toLowerCase().startsWith(letter))
}

/** Below the button and flush with its right edge, or above when there's no room; never beyond the window. */
export function placeBeside(menu: HTMLElement, button: HTMLElement) {
  menu.classList.add('is-placed')
  const anchor = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const below = anchor.bottom + 4
  const top = below + height <= innerHeight - 8 ? below : Math.max(8, anchor.top - 4 - height)
  const left = anchor.right - width >= 8 ? anchor.right - width : anchor.left
  menu.style.top = `${top}px`
  menu.style.left = `${Math.min(Math.max(8, left), innerWidth - width - 8)}px`
}

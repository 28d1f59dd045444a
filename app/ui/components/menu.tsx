import { Form } from '@remix-run/react'
import { useId, useRef, type ButtonHTMLAttributes, type KeyboardEvent, type ReactNode } from 'react'
import type { Icon } from './button.tsx'
import { useIsomorphicLayoutEffect } from '../use-isomorphic-layout-effect.ts'
import { Link } from '../navigation/link.tsx'

export type MenuEntry =
  // `reload`: for a URL that isn't a page, such as a download.
  | { label: string; icon?: Icon; to: string; danger?: boolean; preventScrollReset?: boolean; reload?: boolean }
  | { label: string; icon?: Icon; onSelect: () => void; danger?: boolean; to?: undefined; fields?: undefined }
  /** Posts these fields to the current URL. */
  | { label: string; icon?: Icon; fields: Record<string, string>; danger?: boolean; to?: undefined }
  | 'separator'

/**
 * A button with a menu of links and actions. The menu is a native popover, so it opens without JavaScript and closes on
 * Escape and on an outside click. JavaScript adds arrow keys, Home, End and first letters.
 */
export function Menu({
  label,
  children,
  entries,
  className = 'btn btn-ghost btn-sm btn-icon',
}: {
  /** The accessible name, such as 'Actions for Ada Lovelace'. */
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
        {...popoverTargetProps(id)}
      >
        {children}
      </button>
      <div ref={panel} id={id} role="menu" aria-label={label} className="menu" {...{ popover: 'auto' }}>
        <MenuItems entries={entries} close={() => panel.current?.hidePopover()} />
      </div>
    </>
  )
}

/** The items of a menu. Selecting one calls `close` first. */
export function MenuItems({ entries, close }: { entries: MenuEntry[]; close: () => void }) {
  return entries.map((entry, index) => {
    if (entry === 'separator') return <div key={index} role="separator" className="menu-sep" />
    const itemProps = { role: 'menuitem', tabIndex: -1, className: `menu-item${entry.danger ? ' danger' : ''}` }
    const content = (
      <>
        {entry.icon && <entry.icon className="i" />}
        {entry.label}
      </>
    )
    if (entry.to === undefined && entry.fields) {
      return (
        <Form key={index} method="post" preventScrollReset onSubmit={close}>
          {Object.entries(entry.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" {...itemProps}>
            {content}
          </button>
        </Form>
      )
    }
    return entry.to !== undefined ? (
      <Link
        key={index}
        {...itemProps}
        to={entry.to}
        preventScrollReset={entry.preventScrollReset}
        reloadDocument={entry.reload}
        onClick={close}
      >
        {content}
      </Link>
    ) : (
      <button
        key={index}
        type="button"
        {...itemProps}
        onClick={() => {
          close()
          entry.onSelect()
        }}
      >
        {content}
      </button>
    )
  })
}

/** React 18 doesn't know the popover attributes, but passes them through in lower case. */
export function popoverTargetProps(id: string): ButtonHTMLAttributes<HTMLButtonElement> {
  return Object.fromEntries([['popovertarget', id]])
}

function useMenu() {
  const trigger = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useIsomorphicLayoutEffect(() => {
    const menu = panel.current
    const button = trigger.current
    if (!menu || !button) return
    const onToggle = (event: Event) => {
      const open = 'newState' in event && event.newState === 'open'
      button.setAttribute('aria-expanded', String(open))
      if (!open) return
      positionMenu(menu, button)
      menuItems(menu)[0]?.focus({ preventScroll: true })
    }
    const onKey = (event: globalThis.KeyboardEvent) => moveMenuFocus(menu, event)
    const onButtonKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      menu.showPopover()
    }
    const reposition = () => menu.matches(':popover-open') && positionMenu(menu, button)
    menu.addEventListener('toggle', onToggle)
    menu.addEventListener('keydown', onKey)
    button.addEventListener('keydown', onButtonKey)
    window.addEventListener('resize', reposition)
    document.addEventListener('scroll', reposition, { capture: true, passive: true })
    return () => {
      menu.removeEventListener('toggle', onToggle)
      menu.removeEventListener('keydown', onKey)
      button.removeEventListener('keydown', onButtonKey)
      window.removeEventListener('resize', reposition)
      document.removeEventListener('scroll', reposition, { capture: true })
    }
  }, [])

  return { trigger, panel }
}

function menuItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

/** Keyboard navigation within a menu: arrow keys, Home, End and first letters. */
export function moveMenuFocus(
  menu: HTMLElement,
  event: Pick<KeyboardEvent, 'key' | 'preventDefault' | 'ctrlKey' | 'metaKey' | 'altKey'>,
) {
  const all = menuItems(menu)
  const index = all.findIndex((item) => item === document.activeElement)
  const to = nextIndex(all, index, event)
  if (event.key === 'Tab') menu.hidePopover()
  if (to === undefined) return
  event.preventDefault()
  all[to]?.focus()
}

function nextIndex(
  all: HTMLElement[],
  index: number,
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): number | undefined {
  if (event.key === 'ArrowDown') return (index + 1) % all.length
  if (event.key === 'ArrowUp') return (index - 1 + all.length) % all.length
  if (event.key === 'Home') return 0
  if (event.key === 'End') return all.length - 1
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const letter = event.key.toLowerCase()
  const order = [...all.keys()].map((step) => (index + 1 + step) % all.length)
  return order.find((index) => all[index]?.textContent?.trim().toLowerCase().startsWith(letter))
}

/**
 * Places the menu below the button, aligned to its right edge, or above if there's no room; always inside the window.
 */
export function positionMenu(menu: HTMLElement, button: HTMLElement) {
  menu.classList.add('is-placed')
  const anchor = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const below = anchor.bottom + 4
  const top = below + height <= innerHeight - 8 ? below : Math.max(8, anchor.top - 4 - height)
  const left = anchor.right - width >= 8 ? anchor.right - width : anchor.left
  menu.style.top = `${top}px`
  menu.style.left = `${Math.min(Math.max(8, left), innerWidth - width - 8)}px`
}

import { useLocation } from '@remix-run/react'
import { useEffect, useRef, type RefObject } from 'react'

/** Closes a native popover after each navigation, but not on hydration: the user may have opened it before. */
export function useHideOnNavigation(popover: RefObject<HTMLElement | null>): void {
  const { key } = useLocation()
  const lastKey = useRef(key)
  useEffect(() => {
    if (lastKey.current === key) return
    lastKey.current = key
    popover.current?.hidePopover()
  }, [key, popover])
}

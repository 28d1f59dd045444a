import { useEffect, useRef, type RefObject } from 'react'

/** Calls `adopt` once with a value typed before hydration. React doesn't see such input, and would overwrite it. */
export function usePrehydrationValue(field: RefObject<HTMLInputElement | null>, adopt: (value: string) => void): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    if (field.current && field.current.value !== field.current.defaultValue) adopt(field.current.value)
  }, [field, adopt])
}

import { useEffect, useRef, type RefObject } from 'react'

/** Tells once what was typed into a field before scripts had loaded: React hears nothing of it, and would take it back. */
export function useTypedBefore(field: RefObject<HTMLInputElement | null>, adopt: (value: string) => void): void {
  const told = useRef(false)
  useEffect(() => {
    if (told.current) return
    told.current = true
    if (field.current && field.current.value !== field.current.defaultValue) adopt(field.current.value)
  }, [field, adopt])
}

import { useEffect, useRef, type RefObject } from 'react'

/** Tells once what was typed into a field, or into one of a form, before scripts had loaded: React hears nothing of it, and would take it back. */
export function useTypedBefore(where: RefObject<HTMLInputElement | HTMLFormElement | null>, adopt: (value: string) => void): void {
  const told = useRef(false)
  useEffect(() => {
    if (told.current) return
    told.current = true
    const fields = where.current instanceof HTMLFormElement ? [...where.current.elements] : [where.current]
    const typed = fields.find((field) => field instanceof HTMLInputElement && field.value !== field.defaultValue)
    if (typed instanceof HTMLInputElement) adopt(typed.value)
  }, [where, adopt])
}

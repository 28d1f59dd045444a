import { useRef, type ChangeEvent } from 'react'

/** Puts the price of the chosen product into the form's `amount`, unless the user typed another amount. */
export function usePrefillPrice(products: { id: number; price: string }[], initialAmount = '') {
  const prefilled = useRef(initialAmount)
  return (event: ChangeEvent<HTMLSelectElement>) => {
    const amount = event.target.form?.elements.namedItem('amount')
    const price = products.find(({ id }) => String(id) === event.target.value)?.price ?? ''
    if (!(amount instanceof HTMLInputElement) || (amount.value !== '' && amount.value !== prefilled.current)) return
    amount.value = prefilled.current = price
  }
}

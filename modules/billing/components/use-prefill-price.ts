import { useRef, type ChangeEvent } from 'react'
import { toPriceInput } from '../format.ts'

/** Puts the price of the chosen product into the form's `amount`, unless the user typed another amount. */
export function usePrefillPrice(products: { id: number; price: string }[], currency: string, initialAmount = '') {
  const prefilled = useRef(initialAmount)
  return (event: ChangeEvent<HTMLSelectElement>) => {
    const amount = event.target.form?.elements.namedItem('amount')
    const product = products.find(({ id }) => String(id) === event.target.value)
    const price = product ? toPriceInput(product.price, currency) : ''
    if (!(amount instanceof HTMLInputElement) || (amount.value !== '' && amount.value !== prefilled.current)) return
    amount.value = prefilled.current = price
  }
}

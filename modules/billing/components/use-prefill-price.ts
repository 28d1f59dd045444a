import { useRef, type ChangeEvent } from 'react'

/** For a choice of a product: puts its price into the form's `amount`, as long as no other amount was typed. */
export function useFillIn(products: { id: number; price: string }[]) {
  const filledIn = useRef('')
  return (event: ChangeEvent<HTMLSelectElement>) => {
    const amount = event.target.form?.elements.namedItem('amount')
    const price = products.find(({ id }) => String(id) === event.target.value)?.price ?? ''
    if (!(amount instanceof HTMLInputElement) || (amount.value !== '' && amount.value !== filledIn.current)) return
    amount.value = filledIn.current = price
  }
}

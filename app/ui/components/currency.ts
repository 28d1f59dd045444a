import { createContext, useContext } from 'react'

export const CurrencyContext = createContext('usd')

/** The signed-in coach's currency, for components that show amounts. */
export const useCurrency = (): string => useContext(CurrencyContext)

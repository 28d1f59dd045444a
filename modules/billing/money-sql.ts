import { wholeCurrencies } from '#app/lib/currencies.ts'

const isWhole = `currency in (${wholeCurrencies.map((currency) => `'${currency}'`).join(', ')})`

/** SQL that formats hundredths in the currency of the coach `$1`: '$1,250.50', 'EUR 1,250.50', 'JPY 1,250'. */
export const moneySql = (hundredths: string): string => `(
  select case currency when 'usd' then '$' else upper(currency) || ' ' end || trim(to_char((${hundredths}) / 100.0,
    case when ${isWhole} then '99,999,999,990' else '99,999,999,990.00' end))
  from account where id = $1)`

/** The currencies that Stripe takes, in ISO 4217, lower case. */
export const currencies = (
  'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop ' +
  'crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod ' +
  'jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn ' +
  'nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb ' +
  'tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw'
).split(' ')

/** Without a smaller unit. Stripe writes isk and ugx with two decimals that are always 00. */
export const wholeCurrencies = 'bif clp djf gnf isk jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' ')

export const isWholeCurrency = (currency: string): boolean => wholeCurrencies.includes(currency)

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** Those that some browsers don't know: the page would differ from what the server sent. */
const rareNames: Record<string, string> = { sle: 'Sierra Leonean Leone', std: 'São Tomé & Príncipe Dobra (1977–2017)' }

/** 'Japanese Yen'. */
export const currencyName = (currency: string): string =>
  rareNames[currency] ?? names.of(currency.toUpperCase()) ?? currency.toUpperCase()

/**
 * The hint of an amount's field: 'US dollars, such as 150.00', 'Euro, such as 150.00', 'Japanese Yen, such as 15000'.
 */
export function amountHint(currency: string): string {
  if (currency === 'usd') return 'US dollars, such as 150.00'
  return `${currencyName(currency)}, such as ${isWholeCurrency(currency) ? '15000' : '150.00'}`
}

/** The message for an amount that isn't payable. */
export const wholeAmountMessage = (currency: string): string =>
  `${currencyName(currency)} has no smaller unit: use a whole amount`

/** Whether hundredths can be paid in this currency. */
export const isPayable = (hundredths: number, currency: string): boolean =>
  !isWholeCurrency(currency) || hundredths % 100 === 0

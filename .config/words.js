// Draws the words of seeded records from faker, once for all builds: at run time nothing is left of it but lists to pick
// from. Faker itself would be a fifth of the package's code, and a tenth of its time to load.
// The build and the tests both read them under the name `virtual:words`.
import { base, en, Faker } from '@faker-js/faker';

/** The name the sources import it by. */
export const wordsModule = 'virtual:words';

/** @returns {string} the module's source text */
export const compileWords = () => {
  const { commerce, company, helpers, location, person } = new Faker({ locale: [en, base], seed: 1 });
  const words = {
    people: helpers.uniqueArray(() => person.fullName(), 500),
    companies: helpers.uniqueArray(() => company.name(), 200),
    cities: helpers.uniqueArray(() => location.city(), 200),
    countries: helpers.uniqueArray(() => location.countryCode(), 100),
    departments: helpers.uniqueArray(() => commerce.department(), 20),
  };
  // As a text of JSON, a value is read in half the time that a literal takes.
  return `export const words = JSON.parse(${JSON.stringify(JSON.stringify(words))});\n`;
};

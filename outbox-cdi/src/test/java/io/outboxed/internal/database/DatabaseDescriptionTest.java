package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A URL may hold secrets in many places; what is shown holds none. */
class DatabaseDescriptionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://db:5432/shop?user=bob&password=tiger|postgresql db:5432/shop",
                "jdbc:mysql://db/shop|mysql db/shop",
                "jdbc:mysql://[::1]:3306/shop?password=tiger|mysql [::1]:3306/shop",
                "jdbc:mysql://one:3306,two:3306/shop|mysql one:3306,two:3306/shop",
                "jdbc:mysql://bob:tiger@db:3306/shop|mysql ***",
                "jdbc:mysql://bob:ti/ger@db:3306/shop|mysql ***",
                "jdbc:mysql://address=(host=db)(password=tiger)/shop|mysql ***",
                "jdbc:mysql://(host=db,password=tiger)/shop|mysql ***",
                "jdbc:mariadb://db/shop?user=bob&password=tiger|mariadb db/shop",
                "jdbc:h2:mem:shop;PASSWORD=tiger|h2 mem:shop",
                "jdbc:h2:file:./data/shop;CIPHER=AES|h2 file:./data/shop",
                "jdbc:h2:~/shop|h2 ~/shop",
                "jdbc:h2:tcp://bob:tiger@db/shop|h2 ***",
                "tiger|an unknown location",
                "''|an unknown location"
            })
    void only_what_is_certainly_not_secret_is_shown(String url, String place) {
        assertThat(DatabaseDescription.place(url)).isEqualTo(place).doesNotContain("tiger");
    }
}

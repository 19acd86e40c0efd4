int f( { for

fn main() {
    println!("{}", shared::count(8));
}
